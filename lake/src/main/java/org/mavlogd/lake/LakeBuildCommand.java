package org.mavlogd.lake;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.Version;
import org.mavlogd.text.Words;
import org.mavlogd.tools.LogCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mavlogd lake build}: converts folders of logs to tables. */
@Command(
        name = "build",
        description =
                "Convert the .ulg and .bin logs (also gzip) of a folder with its subfolders, or of a bucket, to the Parquet tables of a "
                        + "lake. Logs that are in the lake already are skipped; the rows of changed logs are replaced.",
        exitCodeList = {
            "0:all logs are in the lake",
            "3:some logs were refused; the table failures lists them",
            "1:the source cannot be read, or the lake cannot be written",
            "2:wrong usage"
        })
final class LakeBuildCommand extends LogCommand {
    private static final int MAX_JOBS = 256;
    private static final int DEFAULT_QUIET_DAYS = 2;
    private static final int MAX_QUIET_DAYS = 36_500;
    private static final long HEAP_PER_JOB = 96L * 1024 * 1024;

    @Option(names = "--to", required = true, paramLabel = "LAKE", description = "The directory of the lake.")
    private Path lake = Path.of("");

    @Option(
            names = "--jobs",
            paramLabel = "COUNT",
            description =
                    "Number of logs to convert at the same time (default: one for each processor, as far as memory allows: 96 MiB each).")
    private int jobs;

    @Option(
            names = "--compact-after",
            paramLabel = "DAYS",
            description = "Merge the small files of a day this many days after it ended (default: 2; -1: never).")
    private int compactAfter = DEFAULT_QUIET_DAYS;

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            description = "The server of a bucket that is not in AWS, such as https://s3.example.org.")
    private @Nullable URI endpoint;

    @Option(names = "--region", paramLabel = "NAME", description = "The region of the bucket (default: AWS_REGION).")
    private @Nullable String region;

    @Parameters(
            paramLabel = "SOURCE",
            description =
                    "A folder with logs, one log, or s3://BUCKET/PREFIX. Keys for the bucket are found as the "
                            + "AWS command line finds them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws/credentials.")
    private String source = "";

    @Override
    protected int execute() {
        if (jobs < 0 || jobs > MAX_JOBS) {
            throw new ParameterException(spec().commandLine(), "--jobs: " + jobs + " is not from 1 to " + MAX_JOBS);
        }
        if (compactAfter < -1 || compactAfter > MAX_QUIET_DAYS) {
            throw new ParameterException(
                    spec().commandLine(), "--compact-after: " + compactAfter + " is not from -1 to " + MAX_QUIET_DAYS);
        }
        try (LogSource logs = open()) {
            List<SourceLog> listed = logs.logs();
            return build(logs, listed);
        } catch (LogSource.Failure e) {
            return fail(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), source + ": " + e.getMessage(), e);
        } catch (IOException e) {
            return fail(Path.of(source), e);
        }
    }

    private LogSource open() throws IOException {
        // Without LogBucket: its library is missing where Spark runs.
        if (source.startsWith(LogSource.SCHEME)) {
            return new LogBucket(
                    source, Optional.ofNullable(endpoint), Optional.ofNullable(region), LakeBuild.downloads(lake));
        }
        if (endpoint != null || region != null) {
            throw new ParameterException(
                    spec().commandLine(), "--endpoint and --region are for a SOURCE like s3://BUCKET/PREFIX");
        }
        return new LogFolder(Path.of(source));
    }

    private int build(LogSource from, List<SourceLog> logs) throws LogSource.Failure {
        try (LakeBuild build = new LakeBuild(lake, "mavlogd " + Version.text(), Clock.systemUTC())) {
            int threads = jobs == 0 ? defaultJobs() : jobs;
            LakeBuild.Result result = withProgress(progress -> build.run(from, logs, threads, progress));
            build.problems().forEach(this::warn);
            out().println(lake + ": " + result.text());
            int fewer = compactAfter < 0 ? 0 : build.compact(compactAfter, threads);
            if (fewer > 0) {
                out().println(lake + ": " + Words.count(fewer, "file") + " fewer after merging days that are over");
            }
            return result.failed() == 0 ? ExitCode.OK : ExitCode.PARTIAL;
        } catch (LogSource.Failure e) {
            throw e;
        } catch (IOException e) {
            return fail(lake, e);
        }
    }

    private static int defaultJobs() {
        Runtime runtime = Runtime.getRuntime();
        long byMemory = Math.max(1, runtime.maxMemory() / HEAP_PER_JOB);
        return (int) Math.min(Math.min(runtime.availableProcessors(), byMemory), MAX_JOBS);
    }
}
