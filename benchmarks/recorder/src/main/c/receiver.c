/*
 * What receiving a log costs at least: one thread that waits for each datagram, checks the frame in it, and writes what
 * LOGGING_DATA brings to a file in batches. No order, no acknowledgements, no times.
 *   receiver PORT FILE
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

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: receiver PORT FILE\n");
        return 2;
    }
    int in = socket(AF_INET, SOCK_DGRAM, 0);
    int out = open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    int room = 4 << 20;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(in, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    if (in < 0 || out < 0 || bind(in, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("receiver");
        return 1;
    }
    puts("ready");
    fflush(stdout);
    static uint8_t batch[BATCH];
    size_t held = 0;
    uint8_t frame[2048];
    for (;;) {
        ssize_t length = recv(in, frame, sizeof frame, 0);
        if (length < 0) {
            perror("receiver");
            return 1;
        }
        int id = length >= HEADER ? frame[7] | frame[8] << 8 | frame[9] << 16 : 0;
        if (id != LOGGING_DATA || !is_sound(frame, (size_t)length) || frame[1] <= DATA_AT - HEADER) {
            continue;
        }
        size_t bytes = frame[1] - (DATA_AT - HEADER);
        if (held + bytes > BATCH) {
            if (write(out, batch, held) != (ssize_t)held) {
                perror("receiver");
                return 1;
            }
            held = 0;
        }
        memcpy(batch + held, frame + DATA_AT, bytes);
        held += bytes;
    }
}
