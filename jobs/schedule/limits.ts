export const scheduleLimits = { clockCheckMs: 30_000 };
