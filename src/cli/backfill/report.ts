/** The report of a load on one screen: rows loaded, rows served, next steps. */

import { relative } from 'node:path';
import type { LoadedDataset, RunReport } from '../../../jobs/contract/reports.ts';
import { countText, manyText } from '../../base/count-text.ts';
import { BAR_NAMES } from '../../base/time/intervals.ts';
import { process } from '../../base/world/process.ts';
import type {
  SkippedInput,
  SourcedSymbol,
  SourceTry,
} from '../../ingest/contract/fetch-context.ts';
import { type ReadingOfFiles, readingOfFilesText } from '../../ingest/contract/reading-of-files.ts';
import { skippedGroups } from '../../ingest/contract/skipped-notes.ts';
import { FILLED_DAY, HARMLESS } from '../../ingest/segments/row-rules.ts';
import type { ServedBars } from '../../store/arrow/read/served-bars.ts';
import { nextLines, pageOf, type Server } from './next-lines.ts';

/** A run's report, with the time of the command. */
export type TimedReport = RunReport & {
  seconds: number;
  /** Rows loaded by this run per second. */
  rowsPerSecond: number;
  /** Address of the page that shows a symbol that came in; null without one. */
  page: string | null;
};

/** Bounds of the lists; `--json` has all entries. */
const REASONS_SHOWN = 3;
const DATASETS_SHOWN = 3;
const NOTES_SHOWN = 3;
const READINGS_SHOWN = 3;

/** Least number of rows for a rate: below it the time is that of starting. */
const RATE_ROWS_MIN = 10_000;

/** A worker of an older Tapeworks does not report these. */
const UNREPORTED = {
  loaded: [],
  readings: [],
  quarantine: null,
  served: { before: null, after: null },
};

export function timedReport(run: RunReport, seconds: number, server: Server): TimedReport {
  const report = { ...UNREPORTED, ...run };
  const rows = report.loaded.reduce((sum, dataset) => sum + dataset.rows, 0);
  const rounded = Math.max(Math.round(seconds * 10) / 10, 0.1);
  return {
    ...report,
    seconds: rounded,
    rowsPerSecond: Math.round(rows / rounded),
    page: pageOf(report.loaded, server),
  };
}

/**
 * Makes at most 31 lines, whatever was skipped and rejected; with several sources, some more.
 */
export function reportLines(report: TimedReport, server: Server): string[] {
  return [
    ...loadedLines(report),
    ...readingLines(report.readings),
    ...changedLines(report),
    ...servedLines(report),
    ...refusedLines(report),
    ...skippedLines(report.skipped),
    ...sourcedLines(report.sourced ?? []),
    ...noteLines(report.notes),
    ...correctionLines(report),
    ...nextLines(report.loaded, { mode: report.mode, server }),
  ];
}

function loadedLines(report: TimedReport) {
  const { loaded, segments, alreadyLoaded, seriesChanged, seconds, rowsPerSecond } = report;
  const known = alreadyLoaded === 0 ? '' : ` (${manyText(alreadyLoaded, 'input')} loaded before)`;
  if (loaded.length === 0) {
    const nothing = segments === 0 ? 'nothing was loaded' : 'nothing new';
    const what = seriesChanged > 0 ? 'no new rows, but known files are newer now' : nothing;
    return [`${what}${known}, in ${seconds} s`];
  }
  const rows = loaded.reduce((sum, dataset) => sum + dataset.rows, 0);
  const rate =
    rows < RATE_ROWS_MIN ? '' : ` (${countText(Number(rowsPerSecond.toPrecision(3)))} rows/s)`;
  const time = `in ${seconds} s${rate}${known}`;
  if (loaded.length === 1) return [`${datasetText(loaded[0])}, ${time}`];
  const more = loaded.length - DATASETS_SHOWN;
  return [
    `${manyText(rows, 'row')} ${time}:`,
    ...loaded.slice(0, DATASETS_SHOWN).map((dataset) => `  ${datasetText(dataset)}`),
    ...(more > 0 ? [`  and ${more} more datasets`] : []),
  ];
}

function datasetText({ dataset, interval, rows, symbols, firstDay, lastDay }: LoadedDataset) {
  const days = firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`;
  if (dataset === 'symbols') return `facts of ${manyText(symbols, 'symbol')}`;
  const kind = dataset === 'candles' ? ` ${barsText(interval)}` : ` rows of ${dataset}`;
  const noun = rows === 1 ? kind.replace(/(bar|row)s/, '$1') : kind;
  const of = dataset === 'candles' ? 'of' : 'for';
  return `${countText(rows)}${noun} ${of} ${manyText(symbols, 'symbol')}${days === null ? '' : `, ${days}`}`;
}

function barsText(interval: string | null): string {
  const name = (BAR_NAMES as Readonly<Record<string, string>>)[interval ?? ''];
  return name === undefined ? 'bars' : `${name} bars`;
}

/** States how files were read, for a person to check. */
export function readingLines(readings: readonly ReadingOfFiles[]): string[] {
  const more = readings.length - READINGS_SHOWN;
  return [
    ...readings.slice(0, READINGS_SHOWN).map((one) => `read ${readingOfFilesText(one)}`),
    ...(more > 0 ? [`  and ${more} more readings (--json)`] : []),
  ];
}

/** Counts changed series of bars, and changed rows of other datasets. */
function changedLines({ loaded, seriesChanged, rowsChanged }: TimedReport): string[] {
  const lines: string[] = [];
  if (seriesChanged > 0 || loaded.some(isOfBars)) {
    const have = seriesChanged === 1 ? 'has' : 'have';
    lines.push(
      `${seriesChanged === 0 ? 'no' : countText(seriesChanged)} series ${have} new or different bars`,
    );
  }
  if (loaded.some((dataset) => !isOfBars(dataset) && dataset.dataset !== 'symbols')) {
    const rows = rowsChanged === 1 ? 'row is' : 'rows are';
    lines.push(`${rowsChanged === 0 ? 'no' : countText(rowsChanged)} ${rows} new or different`);
  }
  return lines;
}

function isOfBars({ dataset }: LoadedDataset): boolean {
  return dataset === 'candles' || dataset === 'corporate-actions';
}

function servedLines({ loaded, served, publishedVersion, deadJobs }: TimedReport): string[] {
  const part = deadJobs.length > 0 ? ', incomplete' : '';
  const version = `published as version ${publishedVersion}${part}`;
  const { before, after } = served;
  const [earlier, now] = [before, after].map((bars) => bars && servedText(bars));
  const areBarsLoaded = loaded.length === 0 || loaded.some(isOfBars);
  if (now === null || (earlier === now && !areBarsLoaded)) return [version];
  const last = `served now: ${now} (${version})`;
  return earlier === now || earlier === null ? [last] : [`served before: ${earlier}`, last];
}

function servedText(served: readonly ServedBars[]): string {
  const texts = served.map(
    ({ interval, bars, symbols, firstDay, lastDay }) =>
      `${barCountText(bars, interval.replace('-extended', ''))} of ${manyText(symbols, 'symbol')}` +
      `${interval.endsWith('-extended') ? ' outside of regular hours' : ''}, ` +
      `${firstDay} to ${lastDay}`,
  );
  return texts.join('; ') || 'no bars';
}

function barCountText(count: number, interval: string | null): string {
  const bars = barsText(interval);
  return `${countText(count)} ${count === 1 ? bars.slice(0, -1) : bars}`;
}

function refusedLines({ rejected, rejectedByReason, quarantine }: TimedReport): string[] {
  if (rejected === 0) return [];
  const { [FILLED_DAY]: filled = 0, ...faults } = rejectedByReason;
  const reasons = Object.entries(faults).sort(([, a], [, b]) => b - a);
  const short = quarantine && relative(process.cwd(), quarantine);
  const path = short?.startsWith('..') ? quarantine : short;
  const where = path === null ? '' : `; lines and reasons are in ${path}`;
  const fills = filled === 1 ? 'fills' : 'fill';
  const leftOut = `left out ${manyText(filled, 'row')} that only ${fills} a day without a session`;
  return [
    ...(filled > 0 ? [leftOut] : []),
    ...(rejected > filled ? [`refused ${manyText(rejected - filled, 'row')}${where}`] : []),
    ...reasons.slice(0, REASONS_SHOWN).map(([reason, count]) => `  ${countText(count)}: ${reason}`),
    ...moreLines(reasons.length, 'reasons'),
  ];
}

export function skippedLines(skipped: readonly SkippedInput[]): string[] {
  const groups = skippedGroups(skipped);
  return [
    ...groups
      .slice(0, REASONS_SHOWN)
      .map(({ count, text }) => `skipped ${manyText(count, 'input')}: ${text}`),
    ...moreLines(groups.length, 'reasons to skip an input'),
  ];
}

function noteLines(notes: readonly string[]): string[] {
  const more = notes.length - NOTES_SHOWN;
  return [
    ...notes.slice(0, NOTES_SHOWN).flatMap((note) => `note: ${note}`.split('\n')),
    ...(more > 0 ? [`  and ${countText(more)} more notes (--json)`] : []),
  ];
}

function moreLines(count: number, what: string): string[] {
  return count > REASONS_SHOWN ? [`  and ${count - REASONS_SHOWN} more ${what} (--json)`] : [];
}

function correctionLines({ rejectedByReason, quarantine }: TimedReport): string[] {
  const hasFaults = Object.keys(rejectedByReason).some((reason) => !HARMLESS.includes(reason));
  return hasFaults && quarantine !== null
    ? ['next: if the file is yours, correct the refused rows and load it again']
    : [];
}

/** Bounds of the lists; `--json` has all entries. */
const GROUPS_SHOWN = 4;
const SYMBOLS_SHOWN = 8;

/** Symbols with the same source, and the same outcomes before it, share their lines. */
function sourcedLines(sourced: readonly SourcedSymbol[]): string[] {
  const groups = [...Map.groupBy(sourced, groupOf).values()];
  const more = groups.length - GROUPS_SHOWN;
  return [
    ...groups.slice(0, GROUPS_SHOWN).flatMap(groupLines),
    ...(more > 0 ? [`and ${more} more groups of symbols (--json)`] : []),
  ];
}

function groupOf({ source, isUpToDate, tried }: SourcedSymbol): string {
  return JSON.stringify([source, isUpToDate, tried.map((one) => [one.source, one.outcome])]);
}

function groupLines(group: readonly SourcedSymbol[]): string[] {
  const [{ source, isUpToDate, tried }] = group;
  const more = group.length - SYMBOLS_SHOWN;
  const names = group.slice(0, SYMBOLS_SHOWN).map(({ symbol }) => symbol);
  const list = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const from = source === null ? 'from no source' : `from ${source}`;
  return [`${from}: ${list}${isUpToDate ? ' (up to date)' : ''}`, ...triedLines(tried)];
}

function triedLines(tried: readonly SourceTry[]): string[] {
  const isLacking = ({ outcome }: SourceTry) => outcome === 'not configured';
  const lacking = tried.filter(isLacking).map(({ message }) => message);
  return [
    ...tried
      .filter((one) => !isLacking(one))
      .map(({ source, outcome, message }) => `  ${source}, ${outcome}: ${message}`),
    ...(lacking.length > 0 ? [`  not configured: ${lacking.join('; ')}`] : []),
  ];
}
