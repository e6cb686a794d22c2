"""Calculates what reports must show, with numpy and the readers in logs.py, without anything of mavlogd's Java.

Run in the folder of the repository:  python3 page/src/test/python/expected.py
It writes page/src/test/resources/org/mavlogd/report/expected.json, which ReportExpectedTest compares with reports of the same
logs. Each figure is written here a second time on purpose, as a formula of the fields; the definitions of the report are not read.
"""

import json
import sys

import numpy as np

import logs

PX4 = [
    "ulog-writer/src/test/resources/org/mavlogd/ulog/px4rs_6ba1abc7.ulg.gz",
    "ulog-writer/src/test/resources/org/mavlogd/ulog/px4rs_esc_status_log.ulg.gz",
    "ulog-writer/src/test/resources/org/mavlogd/ulog/pyulog_sample_log_small.ulg.gz",
    "ulog-writer/src/test/resources/org/mavlogd/ulog/pyulog_sample_tagged_and_default_params.ulg.gz",
    "ulog-writer/src/test/resources/org/mavlogd/ulog/mcap_ulog2mcap_test.ulg.gz",
    "simulator/src/demo/11_rover_ackermann.ulg.gz",
]
ARDUPILOT = [
    "test-data/captures/ardupilot/s1_clean_rover.mav.bin.gz",
    "test-data/captures/ardupilot/s2_drop5_nack.mav.bin.gz",
    "test-data/captures/ardupilot/s4_logdownload.log_data.bin.gz",
]
JOIN_US = 2_000_000
DEG = 180 / np.pi


def finite(times, values):
    keep = np.isfinite(values)
    return times[keep], values[keep]


def column(log, topic, field, instance=0):
    """Times and values of finite samples; (empty, empty) without such a field."""
    found = log.column(topic, field, instance)
    return (np.array([], np.int64), np.array([])) if found is None else found


class Px4:
    def __init__(self, path):
        self.log = logs.read_ulog(path)

    def has(self, topic, *fields):
        rows = self.log.topics.get((topic, 0))
        return rows is not None and all(f in rows.dtype.names for f in fields)

    def values(self, topic, *fields):
        return [column(self.log, topic, f)[1] for f in fields]

    def armed_rows(self, topic):
        """Which rows were written while the vehicle was armed: all, if it never was."""
        status = self.log.topics.get(("vehicle_status", 0))
        order = self.log.order[(topic, 0)]
        if status is None:
            return np.ones(len(order), bool)
        states = status["arming_state"] == 2
        if not states.any():
            return np.ones(len(order), bool)
        before = np.searchsorted(self.log.order[("vehicle_status", 0)], order) - 1
        return (before >= 0) & states[np.maximum(before, 0)]


def stats(result, name, how, values):
    values = values[np.isfinite(values)]
    if len(values):
        result[name] = float({"max": np.max, "min": np.min, "mean": np.mean}[how](values))


def px4_figures(px4):
    log, figures = px4.log, {}
    ends = [int(rows["timestamp"][-1]) for rows in log.topics.values() if len(rows)]
    latest = max(int(rows["timestamp"].max()) for rows in log.topics.values() if len(rows))
    del ends
    figures["duration"] = (latest - log.start_us) / 1e6
    figures["samples"] = sum(len(rows) for rows in log.topics.values())
    figures["dropouts"] = len(log.dropouts)
    figures["parameters"] = len(log.parameters)
    if px4.has("vehicle_local_position", "vx"):
        armed = px4.armed_rows("vehicle_local_position")
        vx, vy, vz = px4.values("vehicle_local_position", "vx", "vy", "vz")
        stats(figures, "speed_mean", "mean", np.hypot(vx, vy)[armed])
        stats(figures, "climb_max", "max", -vz[armed])
        stats(figures, "descent_max", "max", vz[armed])
    if px4.has("vehicle_attitude", "q[0]"):
        w, x, y, z = px4.values("vehicle_attitude", "q[0]", "q[1]", "q[2]", "q[3]")
        # The angle between the body's z axis and down is the acos of the last element of the rotation matrix.
        stats(figures, "tilt_max", "max", np.degrees(np.arccos(np.clip(
            (w * w - x * x - y * y + z * z) / (w * w + x * x + y * y + z * z), -1, 1)))[px4.armed_rows("vehicle_attitude")])
    if px4.has("vehicle_angular_velocity", "xyz[0]"):
        x, y, z = px4.values("vehicle_angular_velocity", "xyz[0]", "xyz[1]", "xyz[2]")
        stats(figures, "rotation_max", "max", DEG * np.sqrt(x**2 + y**2 + z**2)[px4.armed_rows("vehicle_angular_velocity")])
    elif px4.has("vehicle_attitude", "rollspeed"):
        x, y, z = px4.values("vehicle_attitude", "rollspeed", "pitchspeed", "yawspeed")
        stats(figures, "rotation_max", "max", DEG * np.sqrt(x**2 + y**2 + z**2)[px4.armed_rows("vehicle_attitude")])
    if px4.has("vehicle_imu_status", "accel_vibration_metric"):
        stats(figures, "vibration_max", "max", px4.values("vehicle_imu_status", "accel_vibration_metric")[0])
    if px4.has("sensor_combined", "accelerometer_m_s2[0]"):
        a = px4.values("sensor_combined", *(f"accelerometer_m_s2[{i}]" for i in range(3)))
        stats(figures, "acceleration_mean", "mean", np.sqrt(sum(v**2 for v in a)))
    for topic in ("vehicle_magnetometer", "sensor_combined"):
        if px4.has(topic, "magnetometer_ga[0]"):
            m = px4.values(topic, *(f"magnetometer_ga[{i}]" for i in range(3)))
            stats(figures, "magnetic_mean", "mean", np.sqrt(sum(v**2 for v in m)))
            break
    if px4.has("vehicle_gps_position", "satellites_used"):
        satellites = px4.values("vehicle_gps_position", "satellites_used")[0]
        stats(figures, "satellites_min", "min", satellites)
        stats(figures, "satellites_max", "max", satellites)
        stats(figures, "gps_eph_mean", "mean", px4.values("vehicle_gps_position", "eph")[0])
    if px4.has("battery_status", "voltage_v"):
        stats(figures, "voltage_min", "min", px4.values("battery_status", "voltage_v")[0])
        current = px4.values("battery_status", "current_a")[0]
        mean = current[px4.armed_rows("battery_status") & np.isfinite(current)]
        if len(mean) and mean.mean() >= 0:
            figures["current_mean"] = float(mean.mean())
        if np.nanmax(current) >= 0:
            figures["current_max"] = float(np.nanmax(current))
    if px4.has("cpuload", "load"):
        stats(figures, "cpu_mean", "mean", 100 * px4.values("cpuload", "load")[0])
        stats(figures, "cpu_max", "max", 100 * px4.values("cpuload", "load")[0])
    return figures


def intervals(times, bad, values, worst, least_us=0):
    """Intervals of bad samples, those less than two seconds apart as one, with the worst value."""
    found = []
    for t, b, v in zip(times, bad, values):
        if not b:
            continue
        if found and t - found[-1][1] <= JOIN_US:
            found[-1][1] = int(t)
            found[-1][2] = float(worst(found[-1][2], v))
        else:
            found.append([int(t), int(t), float(v)])
    return [i for i in found if i[1] - i[0] >= least_us]


def rises(times, values):
    found = []
    for i in range(1, len(values)):
        if values[i] > values[i - 1]:
            if found and times[i] - found[-1][1] <= JOIN_US:
                found[-1][1] = int(times[i])
                found[-1][2] += float(values[i] - values[i - 1])
            else:
                found.append([int(times[i]), int(times[i]), float(values[i] - values[i - 1])])
    return found


def dropouts(log):
    """Those within a second as one: from, to, seconds lost."""
    found = []
    for time, ms in log.dropouts:
        if found and time - found[-1][1] <= 1_000_000:
            found[-1][2] += ms / 1e3
            found[-1][1] = time + ms * 1000
        else:
            found.append([time, time + ms * 1000, ms / 1e3])
    return found


def px4_problems(px4):
    log, problems = px4.log, {}
    for instance in range(4):
        t, v = finite(*column(log, "vehicle_imu_status", "accel_vibration_metric", instance))
        problems["vibration"] = problems.get("vibration", []) + intervals(t, v > 4.905, v, max, 500_000)
    t, v = finite(*column(log, "cpuload", "ram_usage"))
    problems["memory"] = intervals(t, 100 * v > 95, 100 * v, max)
    t, v = finite(*column(log, "cpuload", "load"))
    problems["cpu"] = intervals(t, 100 * v > 95, 100 * v, max, 1_000_000)
    t, v = column(log, "vehicle_status", "failsafe")
    problems["failsafe"] = intervals(t, v > 0, v, max)
    t, v = column(log, "battery_status", "warning")
    problems["low_charge"] = intervals(t, v > 0, v, max)
    t, v = finite(*column(log, "vehicle_gps_position", "fix_type"))
    had = np.maximum.accumulate(v >= 3) if len(v) else v.astype(bool)
    problems["gps"] = intervals(t, (v < 3) & had, v, min)
    problems["dropouts"] = dropouts(log)
    return problems


def spectrum(times, values):
    """Welch with 512 values, half overlapping, Hann, without mean, one-sided, in squares per hertz."""
    n = 512
    window = np.hanning(n + 1)[:n]
    total, spans, count = 0, 0, 0
    for at in range(0, len(values) - n + 1, n // 2):
        t, v = times[at:at + n], values[at:at + n]
        steps = np.diff(t)
        mean = (t[-1] - t[0]) / (n - 1)
        if mean > 0 and (steps >= 0).all() and (steps <= 2.5 * mean).all():
            total = total + np.abs(np.fft.rfft((v - v.mean()) * window)) ** 2
            spans += t[-1] - t[0]
            count += 1
    if not count:
        return None
    rate = count * (n - 1) * 1e6 / spans
    density = total / count / (window**2).sum() / rate
    density[1:-1] *= 2
    return {"windows": count, "rate_hz": float(rate), "density": [float(d) for d in density]}


def series(times, values):
    times, values = finite(times, values)
    return None if len(values) == 0 else {
        "samples": len(values), "min": float(values.min()), "max": float(values.max()), "first_us": int(times[0]),
        "last_us": int(times[-1])}


def px4_plots(px4):
    log, plots = px4.log, {}
    t, v = column(log, "vehicle_local_position", "z")
    plots["altitude/Estimate"] = series(t, -v)
    plots["battery_voltage/battery_status.voltage_v"] = series(*column(log, "battery_status", "voltage_v"))
    for axis, name in enumerate("XYZ"):
        plots["acceleration/" + name] = series(*column(log, "sensor_combined", f"accelerometer_m_s2[{axis}]"))
    t, w = column(log, "vehicle_attitude", "q[0]")
    x, y, z = (column(log, "vehicle_attitude", f"q[{i}]")[1] for i in (1, 2, 3))
    plots["roll/Estimate"] = series(t, DEG * np.arctan2(2 * (w * x + y * z), w * w - x * x - y * y + z * z))
    plots["yaw/Estimate"] = series(t, DEG * np.arctan2(2 * (w * z + x * y), w * w + x * x - y * y - z * z))
    t, v = column(log, "sensor_combined", "gyro_rad[0]")
    plots["gyro/Roll"] = series(t, DEG * v)
    return {name: value for name, value in plots.items() if value}


def px4_expected(path):
    px4 = Px4(path)
    spectra = {}
    for axis, name in enumerate(("Roll", "Pitch", "Yaw")):
        t, v = column(px4.log, "sensor_combined", f"gyro_rad[{axis}]")
        spectra["gyro_spectrum/" + name] = spectrum(t, DEG * v) if len(v) else None
    return {"figures": px4_figures(px4), "problems": px4_problems(px4), "plots": px4_plots(px4),
            "spectra": {name: value for name, value in spectra.items() if value}}


class ArduPilot:
    INSTANCE = {"GPS": "I", "GPA": "I", "BAT": "Inst", "VIBE": "IMU", "MAG": "I", "XKF1": "C", "XKF4": "C", "IMU": "I",
                "BARO": "I"}

    def __init__(self, path):
        self.log = logs.read_dataflash(path)

    def rows(self, topic, instance=0):
        """The rows of an instance, and their places in the file."""
        rows = self.log.topics.get((topic, 0))
        if rows is None:
            return None, None
        order = self.log.order[(topic, 0)]
        label = self.INSTANCE.get(topic)
        if label and label in rows.dtype.names:
            keep = rows[label] == instance
            return rows[keep], order[keep]
        return rows, order

    def armed(self, order):
        events = []
        for topic, field, values in (("ARM", "ArmState", {1: True, 0: False}), ("EV", "Id", {10: True, 11: False})):
            rows, places = self.rows(topic)
            if rows is not None:
                events += [(p, values[int(r[field])]) for r, p in zip(rows, places) if int(r[field]) in values]
        events.sort()
        if not any(state for _, state in events):
            return np.ones(len(order), bool)
        places = np.array([p for p, _ in events])
        states = np.array([s for _, s in events])
        before = np.searchsorted(places, order) - 1
        return (before >= 0) & states[np.maximum(before, 0)]


def ardupilot_figures(vehicle):
    figures = {}

    def of(topic, *fields, armed=False):
        rows, order = vehicle.rows(topic)
        if rows is None or len(rows) == 0:
            return None
        keep = vehicle.armed(order) if armed else np.ones(len(rows), bool)
        return [rows[f].astype(np.float64)[keep] for f in fields]

    def put(name, how, topic, formula, *fields, armed=False):
        found = of(topic, *fields, armed=armed)
        if found is not None:
            stats(figures, name, how, formula(*found))

    def norm(*v):
        return np.sqrt(sum(x**2 for x in v))

    put("speed_mean", "mean", "GPS", lambda v: v, "Spd", armed=True)
    put("climb_max", "max", "XKF1", lambda v: -v, "VD", armed=True)
    put("tilt_max", "max", "ATT", norm, "Roll", "Pitch", armed=True)
    put("rotation_max", "max", "IMU", lambda *v: DEG * norm(*v), "GyrX", "GyrY", "GyrZ", armed=True)
    put("crosstrack_max", "max", "NTUN", np.abs, "XTrack", armed=True)
    put("vibration_max", "max", "VIBE", norm, "VibeX", "VibeY", "VibeZ")
    put("acceleration_mean", "mean", "IMU", norm, "AccX", "AccY", "AccZ")
    put("magnetic_mean", "mean", "MAG", lambda *v: norm(*v) / 1000, "MagX", "MagY", "MagZ")
    put("satellites_min", "min", "GPS", lambda v: v, "NSats")
    put("satellites_max", "max", "GPS", lambda v: v, "NSats")
    # HAcc is in centimetres.
    put("gps_eph_mean", "mean", "GPA", lambda v: v / 100, "HAcc")
    put("current_mean", "mean", "BAT", lambda v: v, "Curr", armed=True)
    put("current_max", "max", "BAT", lambda v: v, "Curr")
    put("voltage_min", "min", "BAT", lambda v: v, "Volt")
    put("cpu_max", "max", "PM", lambda v: v / 10, "Load")
    return figures


def ardupilot_problems(vehicle):
    problems = {"vibration": [], "gps": []}
    for instance in range(3):
        rows, _ = vehicle.rows("VIBE", instance)
        for field in ("VibeX", "VibeY", "VibeZ"):
            if rows is not None and len(rows):
                v = rows[field].astype(np.float64)
                problems["vibration"] += intervals(rows["TimeUS"], v > 30, v, max, 500_000)
    rows, _ = vehicle.rows("GPS")
    if rows is not None and len(rows):
        v = rows["Status"].astype(np.float64)
        problems["gps"] = intervals(rows["TimeUS"], (v < 3) & np.maximum.accumulate(v >= 3), v, min)
    return problems


def ardupilot_plots(vehicle):
    plots = {}
    for name, topic, field, factor in (
            ("roll/Estimate", "ATT", "Roll", 1), ("yaw/Estimate", "ATT", "Yaw", 1), ("rover_speed/Speed", "THR", "Speed", 1),
            ("crosstrack/Cross-track error", "NTUN", "XTrack", 1), ("gps_satellites/HDOP", "GPS", "HDop", 0.01),
            ("altitude_msl/GPS", "GPS", "Alt", 0.01), ("battery_voltage/BAT.Volt", "BAT", "Volt", 1),
            ("actuator_outputs/Output 1", "RCOU", "C1", 1), ("rover_yaw_rate/Yaw rate", "STER", "TurnRate", 1)):
        rows, _ = vehicle.rows(topic)
        if rows is not None and len(rows):
            plots[name] = series(rows["TimeUS"].astype(np.int64), factor * rows[field].astype(np.float64))
    return {name: value for name, value in plots.items() if value}


def ardupilot_expected(path):
    vehicle = ArduPilot(path)
    spectra = {}
    rows, _ = vehicle.rows("IMU")
    if rows is not None:
        for field, name in (("GyrX", "Roll"), ("GyrZ", "Yaw")):
            spectra["gyro_spectrum/" + name] = spectrum(rows["TimeUS"].astype(np.int64), DEG * rows[field].astype(np.float64))
    return {"figures": ardupilot_figures(vehicle), "problems": ardupilot_problems(vehicle), "plots": ardupilot_plots(vehicle),
            "spectra": {name: value for name, value in spectra.items() if value}}


def rounded(value):
    """Nine digits, which is more than a plot or a test needs."""
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def main():
    expected = {path: px4_expected(path) for path in PX4}
    expected.update({path: ardupilot_expected(path) for path in ARDUPILOT})
    out = "page/src/test/resources/org/mavlogd/report/expected.json"
    with open(out, "w", encoding="utf8") as file:
        json.dump(rounded(expected), file, indent=None, separators=(",", ":"))
        file.write("\n")
    for path, logged in expected.items():
        print(path, len(logged["figures"]), {k: len(v) for k, v in logged["problems"].items() if v}, len(logged["plots"]),
              len(logged["spectra"]), file=sys.stderr)


if __name__ == "__main__":
    main()
