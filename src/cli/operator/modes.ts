/** Published data of both modes, for the operator's report. */

import { isStale } from '../../api/operator/health.ts';
import { MODES, type Mode } from '../../base/config/data-dir.ts';
import type { DatasetReport, ModeReport } from '../../base/operator/report.ts';
import { type PublishedStatus, publishedStatus } from '../inspect/status.ts';

export function modeReports(dataDir: string, nowMs: number): Promise<ModeReport[]> {
  return Promise.all(MODES.map((mode) => modeReport(dataDir, mode, nowMs)));
}

async function modeReport(dataDir: string, mode: Mode, nowMs: number): Promise<ModeReport> {
  const { state, published, damage, datasets } = await publishedStatus(dataDir, mode);
  const others = datasets.map(
    ({ dataset, rows, changedAt }): DatasetReport => ({
      ...{ dataset, interval: null, rows, symbols: null, newestAt: changedAt },
      ...{ endedEarlier: null, isStale: false },
    }),
  );
  return {
    ...{ mode, state, damage },
    version: published?.version ?? null,
    publishedAt: published?.publishedAt ?? null,
    datasets: [...(published ? candleReports(published, nowMs) : []), ...others],
  };
}

function candleReports(
  { datasets: { candles, intraday } }: NonNullable<PublishedStatus['published']>,
  nowMs: number,
): DatasetReport[] {
  const dataset = 'candles';
  const { symbols, staleSymbols, rows, newestBarEnd } = candles;
  const daily = {
    ...{ dataset, interval: '1d', rows: rows['1d'], symbols, newestAt: newestBarEnd },
    ...{ endedEarlier: staleSymbols, isStale: isStale(newestBarEnd, nowMs) },
  };
  const shorter = Object.entries(intraday ?? {}).map(
    ([interval, { symbols, rows, newestBarEnd }]): DatasetReport => ({
      ...{ dataset, interval, rows, symbols, newestAt: newestBarEnd },
      ...{ endedEarlier: null, isStale: isStale(newestBarEnd, nowMs) },
    }),
  );
  return [daily, ...shorter].filter(({ rows }) => rows > 0);
}
