#!/bin/sh
# Publishes the load of a winch into mavlogd's log, ten times a second: publish.sh [SAMPLES]
set -eu
samples=${1:-100}
socket=${MAVLOGD_SOCKET:-/run/mavlogd/publish.sock}

# Each line is a message. "mavlogd publish -" sends the lines and prints those that mavlogd did not record.
measure() {
    echo '{"define":"winch","fields":{"load_kg":"float","turns":"uint32_t"},"units":{"load_kg":"kg"}}'
    echo '{"text":"winch starts","level":"notice","tag":"io_service"}'
    turn=0
    while [ "$turn" -lt "$samples" ]; do
        echo "{\"topic\":\"winch\",\"fields\":{\"load_kg\":12.$((turn % 10)),\"turns\":$turn}}"
        turn=$((turn + 1))
        sleep 0.1
    done
}

measure | mavlogd publish --socket "$socket" -
