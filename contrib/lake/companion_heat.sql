-- Temperature of the companion computer by speed of the vehicle, because airflow cools: by sensor and whole metres per second.
-- topic_companion_temperature(temperature FLOAT, name VARCHAR)
WITH speed AS (
    SELECT log, t_us // 1000000 AS second, avg(speed_m_s) AS speed_m_s FROM common_speed
    -- NaN is above all numbers.
    WHERE speed_m_s < 10000
    GROUP BY ALL
), heat AS (
    SELECT log, vehicle, name AS sensor, t_us // 1000000 AS second, avg(temperature) AS degrees
    FROM topic_companion_temperature
    WHERE abs(temperature) < 1000
    GROUP BY ALL
)
SELECT vehicle, sensor, floor(speed_m_s)::INTEGER AS speed_m_s,
       count(*) AS seconds,
       round(avg(degrees), 1) AS mean_degc,
       round(max(degrees), 1) AS max_degc
FROM heat JOIN speed USING (log, second)
GROUP BY ALL
ORDER BY vehicle, sensor, speed_m_s;
