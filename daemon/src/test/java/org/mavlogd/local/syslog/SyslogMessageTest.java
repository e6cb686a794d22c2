package org.mavlogd.local.syslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.ulog.LogLevel;

class SyslogMessageTest {
    private static SyslogMessage parse(String message) {
        byte[] bytes = ("xx" + message + "yy").getBytes(StandardCharsets.UTF_8);
        return SyslogMessage.of(bytes, 2, bytes.length - 4);
    }

    private static SyslogMessage sound(int facility, LogLevel level, String program, String pid, String text) {
        return new SyslogMessage(facility, level, program, pid, text, true);
    }

    private static SyslogMessage amiss(int facility, LogLevel level, String program, String pid, String text) {
        return new SyslogMessage(facility, level, program, pid, text, false);
    }

    @ParameterizedTest
    @MethodSource("examplesOfRfc5424")
    void takesTheExamplesOfRfc5424(String message, SyslogMessage expected) {
        assertThat(parse(message)).isEqualTo(expected);
    }

    /** Section 6.5; Example 2 has a time zone, Example 3 structured data, Example 4 nothing else. */
    static Stream<Arguments> examplesOfRfc5424() {
        return Stream.of(
                arguments(
                        "<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - \uFEFF'su root' failed for"
                                + " lonvick on /dev/pts/8",
                        sound(4, LogLevel.CRITICAL, "su", "", "'su root' failed for lonvick on /dev/pts/8")),
                arguments(
                        "<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time to make the"
                                + " do-nuts.",
                        sound(20, LogLevel.NOTICE, "myproc", "8710", "%% It's time to make the do-nuts.")),
                arguments(
                        "<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473"
                                + " iut=\"3\" eventSource=\"Application\" eventID=\"1011\"] \uFEFFAn application event log"
                                + " entry...",
                        sound(20, LogLevel.NOTICE, "evntslog", "", "An application event log entry...")),
                arguments(
                        "<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473"
                                + " iut=\"3\" eventSource=\"Application\" eventID=\"1011\"][examplePriority@32473"
                                + " class=\"high\"]",
                        sound(
                                20,
                                LogLevel.NOTICE,
                                "evntslog",
                                "",
                                "ID47 [exampleSDID@32473 iut=\"3\" eventSource=\"Application\""
                                        + " eventID=\"1011\"][examplePriority@32473 class=\"high\"]")));
    }

    @ParameterizedTest
    @MethodSource("examplesOfRfc3164")
    void takesTheExamplesOfRfc3164(String message, SyslogMessage expected) {
        assertThat(parse(message)).isEqualTo(expected);
    }

    /** Section 5.4, as sent and as relayed. */
    static Stream<Arguments> examplesOfRfc3164() {
        return Stream.of(
                arguments(
                        "<34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8",
                        sound(4, LogLevel.CRITICAL, "su", "", "'su root' failed for lonvick on /dev/pts/8")),
                arguments("Use the BFG!", amiss(1, LogLevel.NOTICE, "", "", "Use the BFG!")),
                arguments(
                        "<13>Feb  5 17:32:18 10.0.0.99 Use the BFG!",
                        sound(1, LogLevel.NOTICE, "", "", "10.0.0.99 Use the BFG!")),
                arguments(
                        "<165>Aug 24 05:34:00 CST 1987 mymachine myproc[10]: %% It's time to make the do-nuts.  %%"
                                + "  Ingredients: Mix=OK, Jelly=OK # Devices: Mixer=OK, Jelly_Injector=OK, Frier=OK #"
                                + " Transport: Conveyer1=OK, Conveyer2=OK # %%",
                        sound(
                                20,
                                LogLevel.NOTICE,
                                "",
                                "",
                                "CST 1987 mymachine myproc[10]: %% It's time to make the do-nuts.  %%  Ingredients:"
                                        + " Mix=OK, Jelly=OK # Devices: Mixer=OK, Jelly_Injector=OK, Frier=OK #"
                                        + " Transport: Conveyer1=OK, Conveyer2=OK # %%")),
                arguments(
                        "<0>1990 Oct 22 10:52:01 TZ-6 scapegoat.dmz.example.org 10.1.2.3 sched[0]: That's All Folks!",
                        amiss(
                                0,
                                LogLevel.EMERGENCY,
                                "",
                                "",
                                "1990 Oct 22 10:52:01 TZ-6 scapegoat.dmz.example.org 10.1.2.3 sched[0]: That's All"
                                        + " Folks!")),
                arguments(
                        "<0>Oct 22 10:52:12 scapegoat 1990 Oct 22 10:52:01 TZ-6 scapegoat.dmz.example.org 10.1.2.3"
                                + " sched[0]: That's All Folks!",
                        sound(
                                0,
                                LogLevel.EMERGENCY,
                                "",
                                "",
                                "scapegoat 1990 Oct 22 10:52:01 TZ-6 scapegoat.dmz.example.org 10.1.2.3 sched[0]:"
                                        + " That's All Folks!")));
    }

    @ParameterizedTest
    @MethodSource("messagesOfTheField")
    void takesWhatCommonProgramsSend(String message, SyslogMessage expected) {
        assertThat(parse(message)).isEqualTo(expected);
    }

    static Stream<Arguments> messagesOfTheField() {
        return Stream.of(
                // glibc's syslog(3): no host
                arguments(
                        "<30>Nov 21 09:00:01 camerad[812]: frame lost",
                        sound(3, LogLevel.INFO, "camerad", "812", "frame lost")),
                // rsyslog forwards with the new time format in the old message format
                arguments(
                        "<30>2026-11-21T09:00:01.123456+01:00 boat camerad[812]: frame lost",
                        sound(3, LogLevel.INFO, "camerad", "812", "frame lost")),
                // small devices
                arguments("<12>modem: no carrier\n", sound(1, LogLevel.WARNING, "modem", "", "no carrier")),
                arguments("<12>no carrier\u0000", amiss(1, LogLevel.WARNING, "", "", "no carrier")),
                arguments("<191>1 - - - - - - a text", sound(23, LogLevel.DEBUG, "", "", "a text")),
                arguments("<191>1 - - - - - -", sound(23, LogLevel.DEBUG, "", "", "")),
                arguments(
                        "<14>1 - host app 1 id [a@1 b=\"x]\\\"\\]\\\\\"] text",
                        sound(1, LogLevel.INFO, "app", "1", "text")),
                arguments(
                        "<14>1 - host app 1 id [a@1 b=\"x] text",
                        amiss(1, LogLevel.INFO, "app", "1", "[a@1 b=\"x] text")),
                arguments("<14>1 - host app 1 id nothing", amiss(1, LogLevel.INFO, "app", "1", "nothing")),
                arguments("<14>2 - host app 1 id - text", amiss(1, LogLevel.INFO, "", "", "2 - host app 1 id - text")),
                arguments("<192>text", amiss(1, LogLevel.NOTICE, "", "", "<192>text")),
                arguments("<007>text", amiss(1, LogLevel.NOTICE, "", "", "<007>text")),
                arguments("<14", amiss(1, LogLevel.NOTICE, "", "", "<14")),
                arguments("<14>", amiss(1, LogLevel.INFO, "", "", "")),
                arguments("", amiss(1, LogLevel.NOTICE, "", "", "")));
    }

    @Test
    void aRequestForStructuredDataEndsAtTheDatagram() {
        assertThat(parse("<14>1 - host app - - [a@1]")).isEqualTo(sound(1, LogLevel.INFO, "app", "", "[a@1]"));
    }

    @Test
    void everyPriorityHasItsFacilityAndLevel() {
        for (int priority = 0; priority <= 191; priority++) {
            SyslogMessage message = parse("<" + priority + ">a: b");

            assertThat(message.facility()).isEqualTo(priority / 8);
            assertThat(message.level().code()).isEqualTo((byte) ('0' + priority % 8));
        }
        assertThat(SyslogSource.Facility.NAMES).hasSize(24);
    }
}
