/** Selects the records of each dataset by the time at which they became known. */

import { MILLIS_PER_DAY } from '../base/bars.ts';
import { analystConsensus, analystTargets, upgradesDowngrades } from '../base/datasets/analysts.ts';
import type { Dataset, DatasetRow } from '../base/datasets/dataset.ts';
import { filings } from '../base/datasets/filed-reports.ts';
import { insider, shares } from '../base/datasets/filings.ts';
import { earningsCalendar, expirations, news } from '../base/datasets/market.ts';
import { figuresOf, type StatementDataset, statementDatasets } from '../base/datasets/statement.ts';
import { sessionCloseMs } from '../base/time/calendar.ts';
import { dayFromMillis } from '../base/time/dates.ts';
import { consensusRows, reviewRows } from './analysts.ts';
import { earningsRows, expirationRows } from './calendars.ts';
import { filingRows, periodRows, shareRows } from './filings.ts';
import { insiderRows } from './insiders.ts';
import { newsRows } from './news.ts';
import { closesOf } from './prices.ts';
import { type Company, quartersBetween } from './quarters.ts';
import type { SandboxSecurity } from './universe.ts';

interface SandboxDataset {
  dataset: Dataset;
  /** Reaches back as far as the bars; other datasets cover a year and a half. */
  isHistory: boolean;
  /** Makes the records of a company's quarters; those outside the period are dropped. */
  rowsOf(company: Company): DatasetRow[];
}

function sandboxStatement(dataset: StatementDataset): SandboxDataset {
  const figures = figuresOf(dataset);
  const hasFigures = (row: DatasetRow) => figures.some(({ name }) => name in row);
  return {
    dataset,
    isHistory: true,
    rowsOf: (company) => periodRows(company).filter(hasFigures),
  };
}

export const SANDBOX_DATASETS: readonly SandboxDataset[] = [
  ...statementDatasets.map(sandboxStatement),
  { dataset: filings, isHistory: true, rowsOf: filingRows },
  { dataset: shares, isHistory: true, rowsOf: shareRows },
  { dataset: insider, isHistory: false, rowsOf: insiderRows },
  { dataset: news, isHistory: false, rowsOf: newsRows },
  { dataset: analystConsensus, isHistory: false, rowsOf: consensusRows },
  { dataset: analystTargets, isHistory: false, rowsOf: reviewRows },
  { dataset: upgradesDowngrades, isHistory: false, rowsOf: reviewRows },
  { dataset: expirations, isHistory: false, rowsOf: expirationRows },
  { dataset: earningsCalendar, isHistory: false, rowsOf: earningsRows },
];

const RECENT_DAYS = 548;
/** Longest time from a report to a record that follows from it. */
const DAYS_BEHIND = 110;
/** Longest time from the announcement of a report to the report. */
const DAYS_AHEAD = 200;

export interface RowPeriod {
  historyFromDay: number;
  toDay: number;
  /** Records up to this moment are stored already; undefined makes all of them. */
  storedThroughMs: number | undefined;
}

/**
 * Gives the records of a dataset that became known up to the close of a session, by company. A
 * record is the same whatever period is requested.
 */
export function* sandboxRows(
  { dataset, isHistory, rowsOf }: SandboxDataset,
  market: readonly SandboxSecurity[],
  { historyFromDay, toDay, storedThroughMs }: RowPeriod,
): Generator<DatasetRow> {
  for (const security of market) {
    const lastDay = Math.min(toDay, security.lastDay);
    const recentFromDay = lastDay - RECENT_DAYS;
    const fromDay = isHistory ? Math.min(historyFromDay, recentFromDay) : recentFromDay;
    const afterMs = storedThroughMs ?? fromDay * MILLIS_PER_DAY;
    const throughMs = sessionCloseMs(lastDay);
    if (security.type === 'etf' || afterMs >= throughMs) continue;
    const firstDay = dayFromMillis(afterMs) - DAYS_BEHIND;
    const quarters = quartersBetween(security, firstDay, lastDay + DAYS_AHEAD);
    const close = closesOf(security);
    for (const row of rowsOf({ security, quarters, toDay: lastDay, market, close })) {
      // The time of a list of filings is a day.
      const knownMs = Number(row.acceptedAt ?? row[dataset.time]);
      if (knownMs > afterMs && knownMs <= throughMs) yield row;
    }
  }
}
