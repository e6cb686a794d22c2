-- Gaps in the logs and their share of the time, by vehicle, recorder, and the companion computer's Wi-Fi: a weak signal loses more.
-- topic_companion_wifi(signal FLOAT, name VARCHAR)
WITH wifi AS (
    SELECT log, name AS wifi, 5 * round(avg(signal) / 5)::INTEGER AS signal_dbm
    FROM topic_companion_wifi
    WHERE abs(signal) < 1000
    GROUP BY log, name
)
SELECT coalesce(vehicle, 'unknown') AS vehicle,
       coalesce(recorder, 'unknown') AS recorder,
       wifi,
       signal_dbm,
       count(*) AS logs,
       round(sum(duration_us) / 3.6e9, 2) AS hours,
       sum(dropouts) AS gaps,
       round(sum(dropout_ms) / 1000, 1) AS lost_s,
       round(1e5 * sum(dropout_ms) / nullif(sum(duration_us), 0), 4) AS lost_percent
FROM logs LEFT JOIN wifi USING (log)
GROUP BY ALL
ORDER BY lost_percent DESC NULLS LAST, vehicle;
