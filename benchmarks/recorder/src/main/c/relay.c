/*
 * What forwarding costs at least: one thread that waits for each datagram of one port and sends it to each of the targets. No
 * frames, no routes, no queues: what a target's socket does not take is lost. Log data is not sent on, and not recorded.
 *   relay PORT TARGET...
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEADER = 10, LOGGING_DATA = 266, MAX_TARGETS = 64 };

static struct sockaddr_in loopback(const char *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

int main(int count, char **arguments) {
    int targets = count - 2;
    if (targets < 1 || targets > MAX_TARGETS) {
        fprintf(stderr, "usage: relay PORT TARGET... (at most %d)\n", MAX_TARGETS);
        return 2;
    }
    int in = socket(AF_INET, SOCK_DGRAM, 0);
    int out = socket(AF_INET, SOCK_DGRAM, 0);
    int room = 4 << 20;
    struct sockaddr_in address = loopback(arguments[1]);
    static struct sockaddr_in to[MAX_TARGETS];
    for (int i = 0; i < targets; i++) {
        to[i] = loopback(arguments[2 + i]);
    }
    setsockopt(in, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    if (in < 0 || out < 0 || bind(in, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("relay");
        return 1;
    }
    puts("ready");
    fflush(stdout);
    uint8_t datagram[2048];
    for (;;) {
        ssize_t length = recv(in, datagram, sizeof datagram, 0);
        if (length < 0) {
            perror("relay");
            return 1;
        }
        int id = length >= HEADER ? datagram[7] | datagram[8] << 8 | datagram[9] << 16 : 0;
        for (int i = 0; id != LOGGING_DATA && i < targets; i++) {
            sendto(out, datagram, (size_t)length, 0, (struct sockaddr *)&to[i], sizeof to[i]);
        }
    }
}
