/*
 * Publishes the load of a winch into mavlogd's log, ten times a second, and prints mavlogd's answers.
 *
 *   cc -std=c11 -O2 -o publish docs/examples/publish.c && ./publish [SAMPLES]
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int sock;
static char own_name[sizeof(((struct sockaddr_un *) 0)->sun_path)];

static void remove_own_name(void) {
    unlink(own_name);
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static struct sockaddr_un address(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        fprintf(stderr, "the path of the socket is too long: %s\n", path);
        exit(1);
    }
    strcpy(address.sun_path, path);
    return address;
}

/* mavlogd answers to the name of this socket. The name is beside mavlogd's socket, where the service can see it. */
static void open_socket(const char *server) {
    const char *slash = strrchr(server, '/');
    int directory = slash == NULL ? 0 : (int) (slash - server) + 1;
    int length = snprintf(own_name, sizeof own_name, "%.*s.winch-%ld.sock", directory, server, (long) getpid());
    if (length < 0 || (size_t) length >= sizeof own_name) {
        fprintf(stderr, "the path of the socket is too long: %s\n", server);
        exit(1);
    }
    struct sockaddr_un own = address(own_name);
    struct sockaddr_un far_end = address(server);
    sock = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (sock < 0) fail("socket");
    if (bind(sock, (struct sockaddr *) &own, sizeof own) != 0) fail(own_name);
    atexit(remove_own_name);
    if (chmod(own_name, 0666) != 0) fail(own_name);
    if (connect(sock, (struct sockaddr *) &far_end, sizeof far_end) != 0) fail(server);
}

static void send_line(const char *line) {
    /* While mavlogd's queue is full, send waits: no line is lost. */
    if (send(sock, line, strlen(line), 0) < 0) fail("send");
}

/* Time is that of the measurement, on the clock that Python calls time.monotonic(). */
static int64_t monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

static void print_answers_until(const char *last) {
    char answer[4096];
    do {
        ssize_t length = recv(sock, answer, sizeof answer - 1, 0);
        if (length < 0) fail("recv");
        answer[length] = '\0';
        fputs(answer, stdout);
    } while (strstr(answer, last) == NULL);
}

int main(int argc, char **argv) {
    const char *server = getenv("MAVLOGD_SOCKET");
    int samples = argc > 1 ? atoi(argv[1]) : 100;
    char line[256];

    open_socket(server != NULL ? server : "/run/mavlogd/publish.sock");
    send_line("{\"define\":\"winch\",\"fields\":{\"load_kg\":\"float\",\"turns\":\"uint32_t\"},\"units\":{\"load_kg\":\"kg\"}}");
    send_line("{\"text\":\"winch starts\",\"level\":\"notice\",\"tag\":\"io_service\"}");
    for (int turn = 0; turn < samples; turn++) {
        /* A program with a locale (setlocale) must write the decimal point itself: JSON has no decimal comma. */
        snprintf(line, sizeof line, "{\"topic\":\"winch\",\"fields\":{\"load_kg\":%.1f,\"turns\":%d},\"time_ns\":%" PRId64 "}",
                12.4 + turn / 10.0, turn, monotonic_ns());
        send_line(line);
        nanosleep(&(struct timespec) {.tv_nsec = 100000000}, NULL);
    }
    send_line("{\"id\":1}"); /* mavlogd answers this when it has read everything before it */
    print_answers_until("\"id\":1");
    return 0;
}
