// The state of each vehicle in the recorder's status, one of five.
import { baseName } from "./format.js";

/** Word, colour class and mark of each state. */
export const STATES = {
  recording: { word: "RECORDING", mark: "●" },
  silent: { word: "SILENT", mark: "◌" },
  paused: { word: "PAUSED", mark: "‖" },
  ready: { word: "READY", mark: "○" },
  not: { word: "NOT LOGGING", mark: "✕" },
};

function stateOf(vehicle, recording, disk) {
  if (vehicle.state === "silent") return ["silent", vehicle.detail || "not heard"];
  if (disk.state === "paused") return ["paused", disk.problem || "no room on the disk"];
  if (recording && recording.problem) return ["not", recording.problem];
  if (recording && vehicle.state.startsWith("recording")) return ["recording", vehicle.detail];
  if (vehicle.detail) return ["not", vehicle.detail];
  if (vehicle.state === "idle") return ["ready", vehicle.armed ? "" : "waits for the vehicle to arm"];
  if (vehicle.state.startsWith("keeps the vehicle ready")) return ["ready", vehicle.state];
  return ["not", vehicle.state];
}

/** The recordings of a vehicle. An ArduPilot sends its log as component 155, which is not a vehicle of its own. */
function recordingsOf(vehicle, status) {
  const ofSystem = (status.recordings || []).filter((r) => r.system_id === vehicle.system_id);
  const own = ofSystem.filter((r) => r.component_id === vehicle.component_id);
  const isVehicle = (r) => status.vehicles.some((v) => v.system_id === r.system_id && v.component_id === r.component_id);
  return own.length ? own : ofSystem.filter((r) => !isVehicle(r));
}

/** One entry for each vehicle, also for one that is received on several links. */
export function vehiclesOf(status) {
  const byId = new Map();
  for (const vehicle of status.vehicles || []) {
    const id = vehicle.system_id + "." + vehicle.component_id;
    const known = byId.get(id) || { id, others: [] };
    if (known.vehicle && (vehicle.state || "").startsWith("left to link")) {
      known.others.push(vehicle);
    } else if (known.vehicle && (known.vehicle.state || "").startsWith("left to link")) {
      known.others.push(known.vehicle);
      known.vehicle = vehicle;
    } else if (known.vehicle) {
      byId.set(id + "@" + vehicle.link, { id: id + "@" + vehicle.link, vehicle, others: [] });
      continue;
    } else {
      known.vehicle = vehicle;
    }
    byId.set(id, known);
  }
  const disk = status.disk || {};
  const known = [...byId.values()].sort((a, b) => a.vehicle.system_id - b.vehicle.system_id || a.vehicle.component_id - b.vehicle.component_id);
  return known.map(({ id, vehicle, others }) => {
    const recordings = recordingsOf(vehicle, status);
    const recording = recordings.find((r) => r.link === vehicle.link) || recordings[0];
    const [state, reason] = stateOf(vehicle, recording, disk);
    return { id, vehicle, others, recording, state, reason };
  });
}

/** The losses by cause, without causes of no loss. */
export function losses(recording) {
  const chunks = recording.lost_chunks || {};
  const causes = [
    ["on the link", chunks.link, "chunks"],
    ["in the vehicle", chunks.vehicle, "chunks"],
    ["in the buffer", chunks.ring, "chunks"],
    ["at a restart", chunks.restart, "chunks"],
    ["dropped by the vehicle", recording.vehicle_dropped_messages, "messages"],
    ["refused by the disk", recording.disk_lost_bytes, "bytes"],
    ["for lack of space", recording.space_lost_bytes, "bytes"],
    ["above the limit", recording.limit_lost_bytes, "bytes"],
    ["discarded", recording.discarded_bytes, "bytes"],
  ];
  return causes
    .filter(([, count]) => count > 0)
    .map(([cause, count, unit]) => [cause, count, count === 1 ? unit.slice(0, -1) : unit]);
}

/** The name in the list of logs of the file that a recording grows in, a ULog if there is one; undefined until it is listed. */
export function logNameOf(recording, logs) {
  const files = [recording, ...(recording.beside || [])].map((part) => part.growing_file).filter(Boolean);
  const file = files.find((name) => name.endsWith(".ulg.part")) || files[0];
  const log = logs.find((entry) => baseName(entry.name) === file);
  return log && log.name;
}
