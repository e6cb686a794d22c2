-- Flights, hours and kilometres of each vehicle and month.
SELECT vehicle,
       strftime(date, '%Y-%m') AS month,
       count(*) AS flights,
       round(sum(duration_us) / 3.6e9, 2) AS hours,
       round(sum(armed_us) / 3.6e9, 2) AS armed_hours,
       round(sum(distance_m) / 1000, 3) AS km
FROM logs
GROUP BY ALL
ORDER BY vehicle, month;
