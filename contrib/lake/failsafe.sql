-- Time in failsafe of each log. PX4 logs the state; for an ArduPilot it lasts from the error of a failsafe to its end.
-- topic_vehicle_status(failsafe BOOLEAN)
-- topic_ERR(Subsys TINYINT, ECode TINYINT)
WITH states AS (
    SELECT log, t_us, failsafe::BOOLEAN AS is_failsafe, 'vehicle' AS kind FROM topic_vehicle_status
    UNION ALL
    -- Failsafes of radio (5), battery (6), ground station (8) and EKF (17).
    SELECT log, t_us, ECode <> 0, 'subsystem ' || Subsys FROM topic_ERR WHERE Subsys IN (5, 6, 8, 17)
), spans AS (
    SELECT log, t_us, is_failsafe, kind,
           lead(t_us) OVER (PARTITION BY log, kind ORDER BY t_us) AS until_us
    FROM states
)
SELECT logs.vehicle, logs.date, log,
       count(*) FILTER (is_failsafe) AS samples,
       round(sum(CASE WHEN is_failsafe THEN coalesce(until_us, logs.start_us + logs.duration_us) - spans.t_us ELSE 0 END) / 1e6, 1)
           AS failsafe_s,
       round(logs.duration_us / 1e6, 1) AS duration_s
FROM spans JOIN logs USING (log)
GROUP BY ALL
ORDER BY failsafe_s DESC, log;
