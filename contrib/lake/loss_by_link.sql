-- Gaps in the logs by the link over which they came, and their share of the time.
SELECT coalesce(link, 'none') AS link,
       coalesce(recorder, 'unknown') AS recorder,
       count(*) AS logs,
       round(sum(duration_us) / 3.6e9, 2) AS hours,
       sum(dropouts) AS gaps,
       round(sum(dropout_ms) / 1000, 1) AS lost_s,
       round(1e5 * sum(dropout_ms) / nullif(sum(duration_us), 0), 4) AS lost_percent
FROM logs
GROUP BY ALL
ORDER BY lost_percent DESC NULLS LAST, link;
