/** Datasets for forms and tables. Written by `node .ci/datasets.ts`; never edited. */

// biome-ignore-all format: one value a line.
// biome-ignore-all lint/complexity: as JSON.

/** Titles of the datasets that files may hold. */
export const DATASET_TITLES: Readonly<Record<string, string>> = {
  "statements": "Statements of companies",
  "balance-sheet": "Balance sheets",
  "shares": "Numbers of shares",
  "insider": "Insider transactions",
  "news": "News",
  "analyst-consensus": "Consensus of analysts",
  "analyst-targets": "Price targets of analysts",
  "upgrades-downgrades": "Rating changes",
  "expirations": "Option expirations",
  "earnings-calendar": "Earnings dates",
  "corporate-actions": "Splits and dividends",
  "symbols": "Names and types of symbols"
};
