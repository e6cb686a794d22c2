package org.mavlogd.dataflash;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;

/** Writes the infos of a mapped log about the vehicle and the topics. */
final class HeadWriter {
    /** Units and scales of each topic's fields, as written by {@link TopicPlanner.UnitsText}. */
    static final String FIELD_UNITS = "field_units";

    /** FMT of each topic as text: id, length, name, format and labels. */
    static final String FORMAT = "dataflash_format";

    /** Value of the instance field if it differs from the multi id: {@code instance_SCR_0}. */
    static final String INSTANCE = "instance_";

    static final String BOOT_TIME = "boot_time_utc_us";

    private final MappedLog log;

    HeadWriter(MappedLog log) {
        this.log = log;
    }

    void writeInfos(LogHead head) throws IOException {
        for (Map.Entry<String, String> text : head.texts().entrySet()) {
            log.info(text.getKey(), text.getValue());
        }
        if (head.release().isPresent()) {
            log.info(
                    Field.of(FieldType.UINT32, BuildInfo.RELEASE),
                    bytes(Integer.BYTES, head.release().get()));
        }
        if (head.bootUtcUs().isPresent()) {
            log.info(
                    Field.of(FieldType.UINT64, BOOT_TIME),
                    bytes(Long.BYTES, head.bootUtcUs().get()));
        }
    }

    void describe(TopicPlan plan) throws IOException {
        RecordType type = plan.type();
        log.multiInfo(
                FORMAT,
                type.id() + " " + type.length() + " " + plan.name() + " " + type.format() + " " + type.labels());
        describeUnits(plan);
    }

    void describeUnits(TopicPlan plan) throws IOException {
        if (!plan.units().isEmpty()) {
            log.multiInfo(FIELD_UNITS, plan.units());
        }
    }

    void nameInstance(TopicPlan plan, int multiId) throws IOException {
        InstanceField instance = plan.instance();
        if (instance != null
                && instance.isNamed(multiId)
                && !instance.text(multiId).isEmpty()) {
            log.info(INSTANCE + plan.name() + "_" + multiId, instance.text(multiId));
        }
    }

    private static byte[] bytes(int length, long value) {
        byte[] bytes = new byte[Long.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(value);
        return Arrays.copyOf(bytes, length);
    }
}
