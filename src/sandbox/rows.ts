/** Which rows the sandbox has of which dataset, and from when on. */

import { MILLIS_PER_DAY } from '../base/bars.ts';
import type { DatasetRow } from '../base/datasets/datasets.ts';
import { sessionCloseMs } from '../base/time/calendar.ts';
import type { UncheckedRow } from '../ingest/rows/stage-rows.ts';
import { sandboxConsensus, sandboxRatings, sandboxTargets } from './analysts.ts';
import { sandboxBalanceSheets } from './balance-sheets.ts';
import { sandboxEarnings } from './earnings.ts';
import { sandboxInsiders } from './insiders.ts';
import { sandboxNews } from './news.ts';
import { sandboxExpirations } from './options.ts';
import type { SandboxSpan } from './reporting.ts';
import { sandboxShares } from './shares.ts';
import { sandboxStatements } from './statements.ts';
import type { SandboxSecurity } from './universe.ts';

export interface SandboxDataset {
  /** Name of one of `rowDatasets`. */
  dataset: string;
  /** Reaches back as far as the bars, and some years; others tell of a year and a half. */
  isHistory: boolean;
  /** Rows of a security that became known in a span; none of a fund. */
  rowsOf(
    security: SandboxSecurity,
    span: SandboxSpan,
    market: readonly SandboxSecurity[],
  ): DatasetRow[];
}

export const SANDBOX_DATASETS: readonly SandboxDataset[] = [
  { dataset: 'statements', isHistory: true, rowsOf: sandboxStatements },
  { dataset: 'balance-sheet', isHistory: true, rowsOf: sandboxBalanceSheets },
  { dataset: 'shares', isHistory: true, rowsOf: sandboxShares },
  { dataset: 'insider', isHistory: false, rowsOf: sandboxInsiders },
  { dataset: 'news', isHistory: false, rowsOf: sandboxNews },
  { dataset: 'analyst-consensus', isHistory: false, rowsOf: sandboxConsensus },
  { dataset: 'analyst-targets', isHistory: false, rowsOf: sandboxTargets },
  { dataset: 'upgrades-downgrades', isHistory: false, rowsOf: sandboxRatings },
  { dataset: 'expirations', isHistory: false, rowsOf: sandboxExpirations },
  { dataset: 'earnings-calendar', isHistory: false, rowsOf: sandboxEarnings },
];

/** Analysts speak at least every five quarters, so that the latest word of each is among them. */
const RECENT_DAYS = 548;

/**
 * Rows of a dataset, security by security, up to the close of a session. They follow from the
 * security and the moments in question, not from the days asked: those of a later session are the
 * same whether it is asked for alone or with others.
 *
 * @param market All securities of the days asked.
 * @param storedThroughMs Rows up to this moment are stored already. Undefined: all from the start,
 *   which for a security that was delisted lies well before its end.
 */
export function* sandboxRows(
  { isHistory, rowsOf }: SandboxDataset,
  market: readonly SandboxSecurity[],
  {
    historyFromDay,
    toDay,
    storedThroughMs,
  }: { historyFromDay: number; toDay: number; storedThroughMs: number | undefined },
): Generator<UncheckedRow> {
  const throughMs = sessionCloseMs(toDay);
  for (const security of market) {
    const recentFromDay = (security.lastDay ?? toDay) - RECENT_DAYS;
    const fromDay = isHistory ? Math.min(historyFromDay, recentFromDay) : recentFromDay;
    const afterMs = storedThroughMs ?? fromDay * MILLIS_PER_DAY;
    for (const row of rowsOf(security, { afterMs, throughMs }, market)) yield { row };
  }
}
