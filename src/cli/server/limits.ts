/**
 * Work that quotes do not wait for: screens, reports, schedules, Parquet files. A thread gets a
 * quarter of a processor beside a busy one of normal priority, and 1.5 % at the lowest priority,
 * 19, which has been no better for quotes.
 */
export const backgroundLimits = { niceness: 5 };
