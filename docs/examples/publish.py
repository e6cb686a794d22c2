#!/usr/bin/env python3
"""Publishes the load of a winch into mavlogd's log, ten times a second, and prints mavlogd's answers."""
import json
import os
import socket
import sys
import time

SERVER = os.environ.get("MAVLOGD_SOCKET", "/run/mavlogd/publish.sock")
SAMPLES = int(sys.argv[1]) if len(sys.argv) > 1 else 100

# mavlogd answers to the name of this socket. The name is beside mavlogd's socket, where the service can see it.
name = os.path.join(os.path.dirname(SERVER), f".winch-{os.getpid()}.sock")
link = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
link.bind(name)
os.chmod(name, 0o666)


def send(**message):
    link.sendto(json.dumps(message).encode(), SERVER)


try:
    send(define="winch", fields={"load_kg": "float", "turns": "uint32_t"}, units={"load_kg": "kg"})
    send(text="winch starts", level="notice", tag="io_service")
    for turn in range(SAMPLES):
        send(topic="winch", fields={"load_kg": 12.4 + turn / 10, "turns": turn}, time=time.monotonic())
        time.sleep(0.1)
    send(id=1)  # mavlogd answers this when it has read everything before it
    answer = {}
    while answer.get("id") != 1:
        answer = json.loads(link.recv(4096))
        print(answer)
finally:
    os.unlink(name)
