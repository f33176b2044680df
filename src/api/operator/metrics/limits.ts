/** Samples of the event loop: each thread measures its lag and reports it once a sample. */
export const metricsLimits = { routesMax: 128, sampleMs: 5000, lagResolutionMs: 20 };
