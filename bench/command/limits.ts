export const benchLimits = {
  /** Time for one response of another program. */
  childMs: 300_000,
  /** Bytes of our output columns, all bars of all symbols. */
  outputBytesMax: 2 * 1024 ** 3,
  /** Symbols and bars that are written to files for other programs. */
  pythonSymbolsMax: 1000,
  commandBarsMax: 1_000_000,
  symbolsMax: 20_000,
  barsMax: 1_000_000,
  roundsMax: 1000,
};
