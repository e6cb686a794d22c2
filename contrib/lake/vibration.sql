-- Vibration by airframe and software: median and 95th percentile of a log's samples, over all logs.
SELECT coalesce(logs.vehicle_kind, 'unknown') AS airframe,
       coalesce(logs.hardware, 'unknown') AS hardware,
       coalesce(logs.software, 'unknown') AS software,
       count(DISTINCT log) AS logs,
       round(median(vibration_m_s2), 4) AS median_m_s2,
       round(quantile_cont(vibration_m_s2, 0.95), 4) AS p95_m_s2,
       round(max(vibration_m_s2), 4) AS max_m_s2
FROM common_vibration JOIN logs USING (log)
GROUP BY ALL
ORDER BY p95_m_s2 DESC;
