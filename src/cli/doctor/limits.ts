export const doctorLimits = {
  /** Time by which files may be newer than the clock: other machines write to shared folders. */
  clockAheadMs: 10 * 60_000,
  pythonMs: 20_000,
  balancerMs: 20_000,
};
