// Fields that PX4 and ArduPilot log under these names, the best first.

/** The id of a field for the server: TOPIC[.INSTANCE].FIELD. */
export const fieldId = (topic, field) => topic.name + (topic.instance ? "." + topic.instance : "") + "." + field.name;

// [topic, field, factor to the unit the page shows]
const KNOWN = {
  voltage: [["battery_status", "voltage_v", 1], ["BAT", "Volt", 1], ["CURR", "Volt", 1]],
  remaining: [["battery_status", "remaining", 100], ["BAT", "RemPct", 1]],
  speed: [["vehicle_gps_position", "vel_m_s", 1], ["sensor_gps", "vel_m_s", 1], ["GPS", "Spd", 1]],
  vx: [["vehicle_local_position", "vx", 1]],
  vy: [["vehicle_local_position", "vy", 1]],
};

function find(topics, topicName, fieldName) {
  const topic = topics.find((t) => t.name === topicName && !t.instance && t.samples !== 0)
    || topics.find((t) => t.name === topicName && t.samples !== 0);
  const field = topic && topic.fields.find((f) => f.name === fieldName);
  return field ? fieldId(topic, field) : null;
}

/** The best field for a kind that the log has: {id, scale}, or null. */
export function findField(topics, kind) {
  for (const [topic, field, scale] of KNOWN[kind]) {
    const id = find(topics, topic, field);
    if (id) return { id, scale };
  }
  return null;
}

// Ready-made strips: a name, and alternative fields, of which the first in the log is used.
const PRESETS = [
  ["Speed", [["vehicle_local_position.vx", "vehicle_local_position.vy"], ["GPS.Spd"], ["sensor_gps.vel_m_s"], ["vehicle_gps_position.vel_m_s"]]],
  ["Speed against setpoint", [
    ["rover_velocity_status.measured_speed_body_x", "rover_velocity_status.adjusted_speed_body_x_setpoint"],
    ["rover_speed_status.measured_speed_body_x", "rover_speed_status.adjusted_speed_body_x_setpoint"],
    ["THR.Speed", "THR.DesSpeed"]]],
  ["Throttle and steering", [["actuator_motors.control[0]", "actuator_servos.control[0]"], ["THR.ThrOut", "STER.SteerOut"], ["RCOU.C1", "RCOU.C3"]]],
  ["Roll, pitch, yaw", [["ATT.Roll", "ATT.Pitch", "ATT.Yaw"], ["vehicle_attitude.q[0]", "vehicle_attitude.q[1]", "vehicle_attitude.q[2]", "vehicle_attitude.q[3]"]]],
  ["Heading", [["vehicle_local_position.heading"], ["ATT.Yaw"]]],
  ["Height", [["vehicle_local_position.z"], ["BARO.Alt"], ["POS.RelHomeAlt"]]],
  ["Battery voltage", [["battery_status.voltage_v"], ["BAT.Volt"], ["CURR.Volt"]]],
  ["Battery current", [["battery_status.current_a"], ["BAT.Curr"]]],
  ["Acceleration", [["vehicle_acceleration.xyz[0]", "vehicle_acceleration.xyz[1]", "vehicle_acceleration.xyz[2]"],
    ["sensor_combined.accelerometer_m_s2[0]", "sensor_combined.accelerometer_m_s2[1]", "sensor_combined.accelerometer_m_s2[2]"],
    ["IMU.AccX", "IMU.AccY", "IMU.AccZ"]]],
  ["Rates", [["vehicle_angular_velocity.xyz[0]", "vehicle_angular_velocity.xyz[1]", "vehicle_angular_velocity.xyz[2]"], ["IMU.GyrX", "IMU.GyrY", "IMU.GyrZ"]]],
  ["Vibration", [["vehicle_imu_status.accel_vibration_metric"], ["VIBE.VibeX", "VIBE.VibeY", "VIBE.VibeZ"]]],
  ["GPS satellites", [["sensor_gps.satellites_used"], ["vehicle_gps_position.satellites_used"], ["GPS.NSats"]]],
  ["Depth", [["distance_sensor.current_distance"], ["DPTH.Depth"], ["RFND.Dist"]]],
  ["CPU load", [["cpuload.load"], ["PM.Load"]]],
];

/** The presets that a log has: [{title, fields}]. */
export function presets(topics) {
  const ids = new Set();
  for (const topic of topics) {
    if (topic.samples === 0) continue;
    for (const field of topic.fields) {
      ids.add(fieldId(topic, field));
    }
  }
  // ArduPilot numbers the first instance 0, or has no number for it.
  const resolve = (id) => (ids.has(id) ? id : ids.has(id.replace(".", ".1.")) ? id.replace(".", ".1.") : null);
  const found = [];
  for (const [title, choices] of PRESETS) {
    for (const choice of choices) {
      const fields = choice.map(resolve);
      if (fields.every(Boolean)) {
        found.push({ title, fields });
        break;
      }
    }
  }
  return found;
}

// The fields with a track, in order of preference; degrees are converted to metres.
const TRACKS = [
  { east: "vehicle_local_position.y", north: "vehicle_local_position.x", heading: "vehicle_local_position.heading", radians: true,
    reference: ["vehicle_local_position.ref_lat", "vehicle_local_position.ref_lon"] },
  { lat: "vehicle_global_position.lat", lon: "vehicle_global_position.lon" },
  { lat: "POS.Lat", lon: "POS.Lng", heading: "ATT.Yaw" },
  { lat: "GPS.Lat", lon: "GPS.Lng", heading: "ATT.Yaw" },
  { lat: "vehicle_gps_position.latitude_deg", lon: "vehicle_gps_position.longitude_deg" },
  { lat: "sensor_gps.latitude_deg", lon: "sensor_gps.longitude_deg" },
  { lat: "vehicle_gps_position.lat", lon: "vehicle_gps_position.lon" },
];

/** The fields of the track of a log, or null. */
export function trackFields(topics) {
  const has = (id) => {
    const dot = id.indexOf(".");
    return find(topics, id.slice(0, dot), id.slice(dot + 1));
  };
  for (const track of TRACKS) {
    const x = has(track.east || track.lon);
    const y = has(track.north || track.lat);
    if (x && y) {
      const reference = (track.reference || []).map(has).filter(Boolean);
      return {
        x, y, degrees: !track.east, heading: track.heading ? has(track.heading) : null, radians: !!track.radians,
        reference: reference.length === 2 ? reference : null,
      };
    }
  }
  return null;
}
