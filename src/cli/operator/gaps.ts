/**
 * Missing sessions of the published daily bars. `gaps` reads the store, which the server never
 * opens; the published series have the same days.
 */

import { coverageOfDays } from '../../../jobs/inspect/series-quality.ts';
import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { type Mode, modePaths } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import type { GapsReport } from '../../base/operator/report.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import { openPublished } from '../../store/arrow/read/reader.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';

const US_PER_DAY = BigInt(MILLIS_PER_DAY * 1000);

/** Reads every daily timestamp: about a second for 25 million bars. */
export function gapsReport(dataDir: string, mode: Mode): GapsReport {
  const published = openPublished(modePaths(dataDir, mode).serving);
  try {
    return gapsOf(mode, published);
  } finally {
    published?.close();
  }
}

function gapsOf(mode: Mode, published: Snapshot | undefined): GapsReport {
  const report: GapsReport = {
    ...{ mode, version: published?.id ?? '', symbols: 0, bars: 0, newestBar: null },
    ...{ missing: { sessions: 0, holes: 0, symbols: 0 }, stopped: 0 },
    ...{ holes: [], stoppedSeries: [] },
  };
  if (!published || published.symbols.length === 0) return report;
  const newestDay = newestDayOf(published);
  report.newestBar = dateFromDay(newestDay);
  report.symbols = published.symbols.length;
  for (const symbol of published.symbols) addSeries(report, published, symbol, newestDay);
  keepLargest(report, limits.operatorReport.gapsShown);
  return report;
}

function newestDayOf(published: Snapshot): number {
  const lastUs = published.symbols.map((symbol) => published.symbol(symbol)?.lastBarUs ?? 0n);
  return dayFromUs(lastUs.reduce((newest, us) => (us > newest ? us : newest)));
}

function addSeries(
  report: GapsReport,
  published: Snapshot,
  symbol: string,
  newestDay: number,
): void {
  const days = daysOf(published, symbol);
  if (days.length === 0) return;
  const { barCount, holeCount, missingSessions, holes, hasStopped, lastDay, sessionsBehind } =
    coverageOfDays(days, newestDay);
  const source = published.symbol(symbol)?.source ?? '';
  report.bars += barCount;
  report.missing.sessions += missingSessions;
  report.missing.holes += holeCount;
  report.missing.symbols += Number(holeCount > 0);
  for (const { fromDay, toDay, sessions } of holes) {
    const [from, to] = [dateFromDay(fromDay), dateFromDay(toDay)];
    report.holes.push({ symbol, source, from, to, sessions });
  }
  if (hasStopped) {
    report.stopped++;
    report.stoppedSeries.push({ symbol, source, lastBar: dateFromDay(lastDay), sessionsBehind });
  }
  // Sorts now and then, so that the lists stay short.
  if (report.holes.length + report.stoppedSeries.length > 20 * limits.operatorReport.gapsShown) {
    keepLargest(report, limits.operatorReport.gapsShown);
  }
}

function keepLargest(report: GapsReport, count: number): void {
  report.holes = report.holes.sort((a, b) => b.sessions - a.sessions).slice(0, count);
  report.stoppedSeries = report.stoppedSeries
    .sort((a, b) => a.sessionsBehind - b.sessionsBehind)
    .slice(0, count);
}

function daysOf(published: Snapshot, symbol: string): Int32Array {
  const series = published.series(symbol, '1d');
  if (!series) return new Int32Array();
  const timestamps = new BigInt64Array(series.rowCount);
  series.copyTimestamps({ start: 0, end: series.rowCount }, timestamps);
  return Int32Array.from(timestamps, dayFromUs);
}

function dayFromUs(us: bigint): number {
  return Number(us / US_PER_DAY);
}
