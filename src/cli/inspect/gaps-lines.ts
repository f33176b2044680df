/** The document of `gaps`, and its text for a terminal. */

import type { DatedFlag } from '../../../jobs/inspect/series-quality.ts';
import type { Basis } from '../../base/bars.ts';
import { countText } from '../../base/count-text.ts';
import { limits } from '../../base/limits/limits.ts';
import { tableLines } from '../output.ts';

/** One series with something to report. Dates are ISO text. */
export interface SeriesDocument {
  symbol: string;
  source: string;
  basis: Basis;
  bars: number;
  firstBar: string;
  lastBar: string;
  sessionsBehind: number;
  stopped: boolean;
  missingSessions: number;
  holeCount: number;
  flagCounts: Partial<Record<DatedFlag['flag'], number>>;
  /** False if the report was full: holes and flags are then only counted. */
  listed: boolean;
  holes: { from: string; to: string; sessions: number }[];
  flags: { flag: string; from: string; to: string; value: number; expected: number }[];
}

export interface GapsDocument {
  mode: string;
  symbols: number;
  bars: number;
  /** Null if nothing is stored. */
  newestBar: string | null;
  notFound: string[];
  missing: { sessions: number; holes: number; symbols: number };
  stopped: number;
  /** Number of each flag; null without `--flags`. */
  flags: Record<string, number> | null;
  series: SeriesDocument[];
}

export function gapsLines(document: GapsDocument): string[] {
  const { mode, symbols, bars, newestBar, notFound, missing, stopped, flags, series } = document;
  const lines = [
    `${mode}: ${countText(symbols)} symbols, ${countText(bars)} daily bars, newest ${newestBar ?? 'none'}`,
    `missing: ${countText(missing.sessions)} sessions in ${countText(missing.holes)} holes of ` +
      `${countText(missing.symbols)} symbols`,
    `stopped: ${countText(stopped)} symbols end more than ${limits.quality.sessionsBehindMax} ` +
      'sessions before the newest bar',
  ];
  if (flags) {
    const counts = Object.entries(flags).map(([name, count]) => `${countText(count)} ${name}`);
    lines.push(`flags: ${counts.join(', ')}`);
  }
  if (notFound.length > 0) lines.push(`no daily bars of: ${listText(notFound)}`);
  lines.push(...holeLines(document), ...stoppedLines(document));
  for (const [name, count] of Object.entries(flags ?? {})) {
    lines.push(...flagLines(series, name, count));
  }
  return lines;
}

function holeLines({ series, missing }: GapsDocument): string[] {
  const rows = series.flatMap(({ symbol, holes }) =>
    holes.map(({ from, to, sessions }) => ({
      cells: [symbol, from, to, String(sessions)],
      sessions,
    })),
  );
  rows.sort((a, b) => b.sessions - a.sessions);
  const cells = [['SYMBOL', 'FROM', 'TO', 'SESSIONS'], ...rows.map((row) => row.cells)];
  return sectionLines('holes, longest first', cells, missing.holes);
}

function stoppedLines({ series }: GapsDocument): string[] {
  const rows = series
    .filter(({ stopped }) => stopped)
    .sort((a, b) => a.sessionsBehind - b.sessionsBehind)
    .map(({ symbol, lastBar, sessionsBehind, source }) => [
      symbol,
      lastBar,
      String(sessionsBehind),
      source,
    ]);
  const heading = ['SYMBOL', 'LAST BAR', 'SESSIONS BEHIND', 'SOURCE'];
  return sectionLines('stopped, latest first', [heading, ...rows], rows.length);
}

function flagLines(series: readonly SeriesDocument[], name: string, count: number): string[] {
  const rows = series.flatMap(({ symbol, flags }) =>
    flags
      .filter(({ flag }) => flag === name)
      .map(({ from, to, value, expected }) => [
        symbol,
        from,
        to,
        shortNumber(value),
        shortNumber(expected),
      ]),
  );
  const heading = ['SYMBOL', 'FROM', 'TO', 'VALUE', 'EXPECTED'];
  return sectionLines(name, [heading, ...rows], count);
}

/** Rounds a number for people; `--json` has all digits. */
export function shortNumber(value: number): string {
  return value >= 1000 ? countText(Math.round(value)) : String(Number(value.toPrecision(4)));
}

/**
 * Formats a table with a title, at most `limits.quality.listedMax` rows. The title says how many of
 * `count` rows are left out.
 */
function sectionLines(title: string, table: readonly string[][], count: number): string[] {
  if (count === 0) return [];
  const { listedMax } = limits.quality;
  const shown = table.slice(0, listedMax + 1);
  return ['', title, ...tableLines(shown), ...moreLines(count - shown.length + 1)];
}

function moreLines(leftOut: number): string[] {
  return leftOut > 0 ? [`… and ${countText(leftOut)} more`] : [];
}

function listText(symbols: readonly string[]): string {
  const { listedMax } = limits.quality;
  const shown = symbols.slice(0, listedMax).join(', ');
  return [shown, ...moreLines(symbols.length - listedMax)].join(' ');
}
