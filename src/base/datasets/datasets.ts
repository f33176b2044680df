/** All datasets except candles, which move as columns and have readers of their own. */

import { analystConsensus, analystTargets, upgradesDowngrades } from './analysts.ts';
import type { Dataset } from './dataset.ts';
import { balanceSheet, insider, shares, statements } from './filings.ts';
import { corporateActions, earningsCalendar, expirations, news, symbols } from './market.ts';

/** Datasets that are loaded record by record. */
export const rowDatasets: readonly Dataset[] = [
  statements,
  balanceSheet,
  shares,
  insider,
  news,
  analystConsensus,
  analystTargets,
  upgradesDowngrades,
  expirations,
  earningsCalendar,
];

export const datasets: readonly Dataset[] = [...rowDatasets, corporateActions, symbols];
