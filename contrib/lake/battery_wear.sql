-- Wear of batteries: the internal resistance of each battery in each log, from the drop of the voltage with the current. It grows with age and cold.
SELECT vehicle,
       instance AS battery,
       date,
       log,
       count(*) AS samples,
       round(min(voltage_v), 2) AS min_v,
       round(max(current_a), 1) AS max_a,
       round(-1000 * regr_slope(voltage_v, current_a), 1) AS resistance_mohm
FROM common_battery
-- NaN, which ArduPilot logs where nothing measures the current, is above all numbers.
WHERE voltage_v > 1 AND voltage_v < 10000 AND current_a >= 0 AND current_a < 10000
GROUP BY vehicle, instance, date, log
HAVING stddev_pop(current_a) > 0.5
ORDER BY vehicle, battery, date, log;
