/*
 * What receiving a log costs at least: one thread that waits for each datagram, or for what a stream brings, checks the frames
 * in it, and writes what LOGGING_DATA brings to a file in batches. No order, no acknowledgements, no times.
 *   receiver udp|tcp PORT FILE
 *   receiver tty DEVICE FILE
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEADER = 10, CHECKSUM = 2, DATA_AT = HEADER + 6, BATCH = 64 * 1024, LOGGING_DATA = 266, CRC_EXTRA = 193 };

static uint16_t crc(uint16_t sum, uint8_t byte) {
    uint8_t t = byte ^ (uint8_t)sum;
    t ^= (uint8_t)(t << 4);
    return (uint16_t)((sum >> 8) ^ ((uint16_t)t << 8) ^ ((uint16_t)t << 3) ^ (t >> 4));
}

static int is_sound(const uint8_t *frame, size_t length) {
    if (length < HEADER + CHECKSUM || frame[0] != 0xFD || length < (size_t)HEADER + frame[1] + CHECKSUM) {
        return 0;
    }
    uint16_t sum = 0xFFFF;
    for (size_t i = 1; i < (size_t)HEADER + frame[1]; i++) {
        sum = crc(sum, frame[i]);
    }
    sum = crc(sum, CRC_EXTRA);
    return (sum & 0xFF) == frame[HEADER + frame[1]] && sum >> 8 == frame[HEADER + frame[1] + 1];
}

static void fail(void) {
    perror("receiver");
    exit(1);
}

static uint8_t batch[BATCH];
static size_t held = 0;

static void take(const uint8_t *frame, size_t length, int out) {
    int id = length >= HEADER ? frame[7] | frame[8] << 8 | frame[9] << 16 : 0;
    if (id != LOGGING_DATA || !is_sound(frame, length) || frame[1] <= DATA_AT - HEADER) {
        return;
    }
    size_t bytes = frame[1] - (DATA_AT - HEADER);
    if (held + bytes > BATCH) {
        if (write(out, batch, held) != (ssize_t)held) {
            fail();
        }
        held = 0;
    }
    memcpy(batch + held, frame + DATA_AT, bytes);
    held += bytes;
}

/* Takes the whole frames, and returns how many bytes of the next one are left at the beginning. */
static size_t take_stream(uint8_t *bytes, size_t length, int out) {
    size_t at = 0;
    while (at < length) {
        if (bytes[at] != 0xFD) {
            at++;
            continue;
        }
        size_t frame = length - at < 2 ? BATCH : (size_t)HEADER + bytes[at + 1] + CHECKSUM;
        if (length - at < frame) {
            break;
        }
        take(bytes + at, frame, out);
        at += frame;
    }
    memmove(bytes, bytes + at, length - at);
    return length - at;
}

static int socket_on(int type, const char *port) {
    int made = socket(AF_INET, type, 0);
    int room = 4 << 20;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (type == SOCK_DGRAM) {
        setsockopt(made, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    }
    if (made < 0 || bind(made, (struct sockaddr *)&address, sizeof address) != 0) {
        fail();
    }
    return made;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: receiver udp|tcp PORT FILE, or receiver tty DEVICE FILE\n");
        return 2;
    }
    int is_udp = strcmp(arguments[1], "udp") == 0;
    int is_tcp = strcmp(arguments[1], "tcp") == 0;
    int listener = is_tcp ? socket_on(SOCK_STREAM, arguments[2]) : -1;
    int in = is_udp ? socket_on(SOCK_DGRAM, arguments[2])
        : is_tcp ? listener
        : open(arguments[2], O_RDONLY | O_NOCTTY);
    int out = open(arguments[3], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (in < 0 || out < 0 || (is_tcp && listen(listener, 1) != 0)) {
        fail();
    }
    puts("ready");
    fflush(stdout);
    if (is_tcp) {
        in = accept(listener, NULL, NULL);
    }
    static uint8_t bytes[BATCH];
    size_t left = 0;
    for (;;) {
        ssize_t length = read(in, bytes + left, sizeof bytes - left);
        if (length < 0) {
            fail();
        }
        if (length == 0 && is_tcp) {
            close(in);
            in = accept(listener, NULL, NULL);
            left = 0;
            continue;
        }
        if (length == 0) {
            return 0;
        }
        if (is_udp) {
            take(bytes, (size_t)length, out);
        } else {
            left = take_stream(bytes, left + (size_t)length, out);
        }
    }
}
