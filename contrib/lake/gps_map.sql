-- Satellite navigation on a map: quality by squares of a thousandth of a degree (about 100 m), the worst first.
SELECT round(lat, 3) AS lat,
       round(lon, 3) AS lon,
       count(*) AS samples,
       count(DISTINCT log) AS logs,
       min(satellites) AS min_satellites,
       round(avg(satellites), 1) AS mean_satellites,
       round(quantile_cont(hdop, 0.95), 2) AS p95_hdop
FROM common_gps
WHERE lat <> 0 OR lon <> 0
GROUP BY 1, 2
ORDER BY mean_satellites, lat, lon;
