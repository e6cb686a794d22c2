#!/usr/bin/env python3
"""A ROS 2 node that publishes topics into mavlogd's log.

    python3 ros2_publish.py /winch/state=winch_msgs/msg/State /imu=sensor_msgs/msg/Imu

Each message becomes a sample: /winch/state is the topic winch_state, and nested fields are joined by "_", as in
orientation_x. Sequences are left out, because fields of a log have a fixed size. A sample's time is when the node
received the message.
"""
import json
import os
import re
import socket
import sys
import time

SERVER = os.environ.get("MAVLOGD_SOCKET", "/run/mavlogd/publish.sock")
TEXT_BYTES = 64

TYPES = {
    "boolean": "bool",
    "octet": "uint8_t",
    "uint8": "uint8_t",
    "int8": "int8_t",
    "uint16": "uint16_t",
    "int16": "int16_t",
    "uint32": "uint32_t",
    "int32": "int32_t",
    "uint64": "uint64_t",
    "int64": "int64_t",
    "float": "float",
    "double": "double",
}


def topic_name(ros_name):
    """Letters, digits and "_", a letter first: "/winch/state" is "winch_state"."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", ros_name.strip("/"))
    return name if name[:1].isalpha() else "ros_" + name


def flatten(message, prefix=""):
    """Yields name, type in the log, and value of each field that has a fixed size."""
    for name, ros_type in message.get_fields_and_field_types().items():
        value = getattr(message, name)
        array = re.fullmatch(r"(\w+)\[(\d+)]", ros_type)
        if hasattr(value, "get_fields_and_field_types"):
            yield from flatten(value, prefix + name + "_")
        elif ros_type.startswith("string"):
            yield prefix + name, f"char[{TEXT_BYTES}]", value
        elif ros_type in TYPES:
            yield prefix + name, TYPES[ros_type], plain(value)
        elif array and array[1] in TYPES:
            yield prefix + name, f"{TYPES[array[1]]}[{array[2]}]", [plain(each) for each in value]


def plain(value):
    """A value of Python instead of one of numpy, and a number instead of an octet."""
    value = value.item() if hasattr(value, "item") else value
    return value[0] if isinstance(value, bytes) else value


def define_line(topic, message):
    return json.dumps({"define": topic, "fields": {name: kind for name, kind, _ in flatten(message)}})


def sample_line(topic, message, time_ns):
    return json.dumps({"topic": topic, "fields": {name: value for name, _, value in flatten(message)}, "time_ns": time_ns})


class Publisher:
    """Sends messages to mavlogd. A recorder that is not running costs samples, and never stops the node."""

    def __init__(self, server):
        self.server = server
        self.link = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.link.setblocking(False)
        self.lost = 0

    def send(self, line):
        try:
            self.link.sendto(line.encode(), self.server)
        except OSError:  # no socket, or its queue is full
            self.lost += 1


def main():
    import rclpy
    from rclpy.qos import qos_profile_sensor_data
    from rosidl_runtime_py.utilities import get_message

    rclpy.init()
    node = rclpy.create_node("mavlogd_publisher")
    publisher = Publisher(SERVER)
    for argument in sys.argv[1:]:
        ros_name, _, type_name = argument.partition("=")
        message_type = get_message(type_name)
        topic = topic_name(ros_name)
        definition = define_line(topic, message_type())

        def publish(message, topic=topic):
            publisher.send(sample_line(topic, message, time.monotonic_ns()))

        publisher.send(definition)
        # Again and again: a recorder that was started later does not know the topic yet.
        node.create_timer(10, lambda line=definition: publisher.send(line))
        node.create_subscription(message_type, ros_name, publish, qos_profile_sensor_data)
    try:
        rclpy.spin(node)
    except KeyboardInterrupt:
        pass
    node.get_logger().info(f"{publisher.lost} messages could not be sent to {SERVER}")


if __name__ == "__main__":
    main()
