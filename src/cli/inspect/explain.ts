/**
 * `explain SYMBOL DATE`: shows the origin of a daily bar and the bars it superseded. Reads only.
 */

import type { Command } from 'commander';
import type { BarReport } from '../../../jobs/inspect/bar-report.ts';
import { settingsFromEnv } from '../../base/config/config.ts';
import { modePaths } from '../../base/config/data-dir.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { CALENDAR_FIRST_DAY, CALENDAR_LAST_DAY, isSession } from '../../base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../base/time/dates.ts';
import type { StatedAction, StoredBar } from '../../store/duckdb/segments/explain-bar.ts';
import { modeFromOption } from '../mode.ts';
import { createOutput } from '../output.ts';
import { type ExplainDocument, explainLines } from './explain-lines.ts';

interface ExplainOptions {
  mode: string;
  json?: boolean;
}

async function showExplanation(
  symbolText: string,
  date: string,
  options: ExplainOptions,
): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const output = createOutput(options.json === true);
  const mode = modeFromOption(options.mode);
  const [name, day] = [canonicalSymbol(symbolText), dayFromDate(date)];
  const { barReport } = await import('../../../jobs/inspect/bar-report.ts');
  const report = await barReport(modePaths(settings.dataDir, mode), name, day, (holder) =>
    output.note(`waiting for ${holder}`),
  );
  const document = { symbol: report.symbol, date, mode, ...explainDocument(report, day) };
  output.result(document, explainLines(document));
}

/** Builds the document, with dates instead of day numbers. */
function explainDocument(
  report: BarReport,
  day: number,
): Omit<ExplainDocument, 'symbol' | 'date' | 'mode'> {
  const { served, rivals, factors, adjusted, hole, inForceToDay } = report;
  return {
    status: statusOf(report, day),
    firstBar: dateFromDay(report.firstDay),
    lastBar: dateFromDay(report.lastDay),
    hole: hole
      ? { from: dateFromDay(hole.fromDay), to: dateFromDay(hole.toDay), sessions: hole.sessions }
      : null,
    bar: served ? { ...barDocument(served), factor: served.factor } : null,
    adjusted,
    factors: { split: factors.split ?? null, dividend: factors.dividend ?? null },
    actionsAfter: report.actionsAfter.map((action) => ({
      ...actionDocument(action),
      inForce: action.exDay <= inForceToDay,
    })),
    actionCoverage: report.coverage.map(({ source, fromDay, toDay }) => ({
      source,
      from: dateFromDay(fromDay),
      to: dateFromDay(toDay),
    })),
    rivals: rivals.map((rival) => ({ ...barDocument(rival), reason: rival.reason })),
    flags: report.flags.map(({ fromDay, toDay, ...flag }) => ({
      ...flag,
      from: dateFromDay(fromDay),
      to: dateFromDay(toDay),
    })),
  };
}

function statusOf(
  { served, firstDay, lastDay }: BarReport,
  day: number,
): ExplainDocument['status'] {
  if (served) return 'served';
  const isKnown = day >= CALENDAR_FIRST_DAY && day <= CALENDAR_LAST_DAY;
  if (isKnown && !isSession(day)) return 'not-a-session';
  if (day < firstDay) return 'before-first-bar';
  return day > lastDay ? 'after-last-bar' : 'gap';
}

function barDocument(bar: StoredBar): Omit<ExplainDocument['rivals'][number], 'reason'> {
  const { source, basis, open, high, low, close, volume } = bar;
  return {
    source,
    basis,
    asOf: new Date(bar.asOfUs / 1000).toISOString(),
    stored: { open, high, low, close, volume },
    segment: bar.segment,
    origin: bar.origin,
    loadedAt: new Date(bar.loadedMs).toISOString(),
    file: {
      path: bar.path,
      sha256: bar.sha256,
      modifiedAt: bar.modifiedUs === 0 ? null : new Date(bar.modifiedUs / 1000).toISOString(),
      lastDay:
        bar.newestUs === null ? null : new Date(bar.newestUs / 1000).toISOString().slice(0, 10),
      lines: bar.lineCount,
      accepted: bar.acceptedCount,
      rejected: bar.rejectedCount,
    },
  };
}

function actionDocument({ type, exDay, numerator, denominator, amount, source }: StatedAction) {
  return { type, exDate: dateFromDay(exDay), numerator, denominator, amount, source };
}

export function registerExplain(program: Command): void {
  program
    .command('explain')
    .description('show where a daily bar comes from, and which other bars were not served')
    .argument('<symbol>', 'ticker, in any spelling: BRK.B, brk-b')
    .argument('<date>', 'day of the bar, YYYY-MM-DD')
    .option('--mode <mode>', 'live or sandbox', 'live')
    .option('--json', 'print one JSON document')
    .action(showExplanation);
}
