/** `repair SYMBOL DATE`: corrects single bars, or takes a correction back. */

import type { Command } from 'commander';
import type { RepairReport, RepairRequest } from '../../../jobs/rebuild/repair.ts';
import { BAR_FIELDS, type BarValues, MICROS_PER_MILLI } from '../../base/bars.ts';
import { countText, manyText } from '../../base/count-text.ts';
import { UsageError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { dayFromDate, microsFromDay } from '../../base/time/dates.ts';
import { BASE_INTERVALS, type BaseInterval } from '../../base/time/intervals.ts';
import { wallMs } from '../../base/world/clock.ts';
import { type ModeOptions, modeOption, openVerb } from '../options.ts';
import { tableLines } from '../output.ts';
import { withProgress } from '../progress.ts';

interface RepairOptions extends ModeOptions, Partial<BarValues> {
  interval: BaseInterval;
  file?: string;
  reason?: string;
  plan?: boolean;
  remove?: boolean;
  undo?: boolean;
}

async function repair(
  symbol: string | undefined,
  date: string | undefined,
  options: RepairOptions,
): Promise<void> {
  const { settings, output, paths } = openVerb(options);
  const { interval, plan = false, reason } = options;
  const { repairBars, undoRepair } = await import('../../../jobs/rebuild/repair.ts');
  const deps = { settings, verb: 'repair', nowMs: wallMs() };
  if (options.undo) {
    const place = placeOf(symbol, date, interval);
    const what = `${place.symbol} ${date}`;
    requireOnly(options, 'undo');
    const report = await withProgress(output, (shown) =>
      undoRepair(paths, { ...place, interval, what }, { ...deps, ...shown }),
    );
    output.result(
      { undone: report.segment?.id ?? null, publishedVersion: report.publishedVersion },
      [`undone: ${report.segment?.origin}`, `published: version ${report.publishedVersion}`],
    );
    return;
  }
  if (options.file !== undefined && symbol !== undefined) {
    throw new UsageError('--file names the bars itself: leave the symbol');
  }
  const { requests, leftOut } = options.file
    ? await requestsOfFile(options)
    : { requests: [requestOf(placeOf(symbol, date, interval), options)], leftOut: 0 };
  const how = { interval, isPlan: plan, timeOf: timeOf(interval) };
  const report = await withProgress(output, (shown) =>
    repairBars(
      paths,
      requests.map((one) => ({ reason, ...one })),
      how,
      { ...deps, ...shown },
    ),
  );
  output.result(
    { ...documentOf(report, interval), leftOut },
    repairLines(report, { interval, isPlan: plan, leftOut }),
  );
}

const ALLOWED = {
  file: ['file', 'reason', 'plan'],
  remove: ['remove', 'reason', 'plan'],
  undo: ['undo'],
} as const;

/** @throws {UsageError} options that would be ignored are given. */
function requireOnly(options: RepairOptions, kept: keyof typeof ALLOWED): void {
  const others = [...BAR_FIELDS, 'file', 'undo', 'reason', 'plan', 'remove'] as const;
  const allowed: readonly string[] = ALLOWED[kept];
  const given = others.find((name) => options[name] !== undefined && !allowed.includes(name));
  if (given) throw new UsageError(`--${given} can't be combined with --${kept}`);
}

async function requestsOfFile(
  options: RepairOptions,
): Promise<{ requests: RepairRequest[]; leftOut: number }> {
  requireOnly(options, 'file');
  if (options.interval !== '1d') throw new UsageError('--file is for daily bars: leave --interval');
  const { readRepairs } = await import('./repair-file.ts');
  return readRepairs(options.file!);
}

function placeOf(symbol: string | undefined, date: string | undefined, interval: BaseInterval) {
  if (symbol === undefined || date === undefined) {
    throw new UsageError('name the bar, as in repair TSLA 2010-11-19 --low 8.552, or give --file');
  }
  return { symbol: canonicalSymbol(symbol), timestampUs: momentOf(date, interval) };
}

/** Reads a date, or the start of a bar of minutes in UTC. */
function momentOf(text: string, interval: BaseInterval): number {
  if (interval === '1d') return microsFromDay(dayFromDate(text));
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:00(\.000)?)?Z$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (!Number.isNaN(ms)) return ms * MICROS_PER_MILLI;
  throw new UsageError(
    `date must be the start of a bar of ${interval} in UTC, such as 2026-07-06T13:31Z, got "${text}"`,
  );
}

function timeOf(interval: BaseInterval): (us: number) => string {
  return (us) => {
    const text = new Date(us / MICROS_PER_MILLI).toISOString();
    return interval === '1d' ? text.slice(0, 10) : `${text.slice(0, 16)}Z`;
  };
}

function requestOf(
  place: { symbol: string; timestampUs: number },
  options: RepairOptions,
): RepairRequest {
  if (options.remove) {
    requireOnly(options, 'remove');
    return { ...place, values: {}, isRemoved: true };
  }
  const given = BAR_FIELDS.filter((field) => options[field] !== undefined);
  if (given.length === 0) {
    throw new UsageError(
      `give the right values: ${BAR_FIELDS.map((field) => `--${field}`).join(', ')}; or --remove`,
    );
  }
  return { ...place, values: Object.fromEntries(given.map((field) => [field, options[field]])) };
}

function documentOf({ repairs, ...rest }: RepairReport, interval: BaseInterval) {
  const time = timeOf(interval);
  return {
    interval,
    repairs: repairs.map(({ symbol, timestampUs, ...one }) => ({
      symbol,
      bar: time(timestampUs),
      ...one,
    })),
    ...rest,
  };
}

function repairLines(
  { repairs, unchanged, publishedVersion }: RepairReport,
  { interval, isPlan, leftOut }: { interval: BaseInterval; isPlan: boolean; leftOut: number },
): string[] {
  const time = timeOf(interval);
  const shown = repairs.slice(0, limits.quality.listedMax);
  const rows = shown.flatMap(({ symbol, timestampUs, before, after, basis, source }) => [
    [
      symbol,
      time(timestampUs),
      basis,
      'served',
      ...BAR_FIELDS.map((f) => String(before[f])),
      source,
    ],
    after === null
      ? ['', '', '', 'removed', ...BAR_FIELDS.map(() => ''), 'repair']
      : ['', '', '', 'repaired', ...BAR_FIELDS.map((f) => String(after[f])), 'repair'],
  ]);
  const heading = [
    'SYMBOL',
    'BAR',
    'BASIS',
    '',
    'OPEN',
    'HIGH',
    'LOW',
    'CLOSE',
    'VOLUME',
    'SOURCE',
  ];
  const more = repairs.length - shown.length;
  return [
    ...(rows.length > 0 ? tableLines([heading, ...rows]) : []),
    ...(more > 0 ? [`… and ${countText(more)} more`] : []),
    `${isPlan ? 'would repair' : 'repaired'} ${barsText(repairs.length)}`,
    ...(unchanged > 0 ? [`${barsText(unchanged)} had these values already`] : []),
    ...(leftOut > 0 ? [`${manyText(leftOut, 'row')} without new values were left out`] : []),
    ...(publishedVersion === undefined ? [] : [`published: version ${publishedVersion}`]),
  ];
}

function barsText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'bar' : 'bars'}`;
}

function numberFor(flag: string): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() !== '' && Number.isFinite(number)) return number;
    throw new UsageError(`${flag} must be a number, got "${text}"`);
  };
}

export function registerRepair(program: Command): void {
  const command = program
    .command('repair')
    .description('correct single bars, which wins over all sources, or undo a correction')
    .argument('[symbol]', 'ticker, in any spelling')
    .argument('[date]', 'day of the bar; for minutes its start in UTC, 2026-07-06T13:31Z');
  for (const field of BAR_FIELDS) {
    command.option(`--${field} <value>`, `right ${field}`, numberFor(`--${field}`));
  }
  command
    .option(
      '--interval <interval>',
      `interval of the bar: ${BASE_INTERVALS.join(', ')}`,
      intervalFromOption,
      '1d',
    )
    .option('--remove', 'serve no bar there, as on a day without a session')
    .option('--reason <text>', 'reason, which explain shows')
    .option('--file <path>', 'repair the bars of a file that gaps --flags --fix wrote')
    .option('--plan', 'show the bars before and after, and stop')
    .option('--undo', 'take the repair of the bar back')
    .addOption(modeOption('live; bars of the sandbox cannot be repaired'))
    .action(repair);
}

function intervalFromOption(text: string): BaseInterval {
  const found = BASE_INTERVALS.find((interval) => interval === text);
  if (found) return found;
  throw new UsageError(`--interval must be one of ${BASE_INTERVALS.join(', ')}, got "${text}"`);
}
