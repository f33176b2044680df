/**
 * `export <dataset>`: writes published data to a file, or candles to partitions of many files; works
 * while a server runs.
 */

import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { checkSession } from '../../api/responses/sessions.ts';
import { firstNames } from '../../api/routes/candles/symbols.ts';
import { BASES, type Basis } from '../../base/bars.ts';
import type { ModePaths } from '../../base/config/data-dir.ts';
import { type ObjectPlace, placeText } from '../../base/config/object-place.ts';
import { countText, manyText } from '../../base/count-text.ts';
import { UsageError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  DAILY_INTERVALS,
  EXTENDED_INTRADAY,
  INTERVALS,
  type Interval,
  SESSION_CHOICES,
  type SessionChoice,
  STORED_INTRADAY,
} from '../../base/time/intervals.ts';
import {
  dayFor,
  type ModeOptions,
  modeOption,
  openVerb,
  symbolsFromOption,
  wholeNumberFor,
  windowOfDays,
} from '../options.ts';
import { untilStopSignal, withProgress } from '../progress.ts';
import type { ExportRequest } from './datasets.ts';
import { DATASETS, type ExportFormat, FORMATS, LAYOUTS, type LayoutName } from './formats.ts';
import { pathFromOption, placeFromOption } from './out-path.ts';
import type { LayoutReport } from './write-layout.ts';

const { min: digitsMin, max: digitsMax } = limits.digits;

interface ExportOptions extends ModeOptions {
  format?: ExportFormat;
  layout?: LayoutName;
  out: string;
  symbols?: string[];
  /** Day numbers. */
  from?: number;
  to?: number;
  interval?: Interval;
  adjustment?: Basis;
  session?: SessionChoice;
  indicators?: string;
  latest?: boolean;
  digits?: number;
  asOf?: string;
  force?: boolean;
}

/** Options for bars, and those for indicators only. */
const BAR_OPTIONS = ['from', 'to', 'interval', 'adjustment', 'session', 'asOf'] as const;
const INDICATOR_OPTIONS = ['indicators', 'latest', 'digits'] as const;

/** Returns an option as it is written: `--as-of`. */
function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

async function runExport(dataset: string, options: ExportOptions): Promise<void> {
  if (options.layout) return runLayout(dataset, options, options.layout);
  const place = placeFromOption(options.out);
  if (place) return runPartitioned(dataset, options, place);
  const { settings, output, paths } = openVerb(options);
  const path = pathFromOption(options.out, options.force === true);
  const request = requestFromOptions(dataset, options, paths);
  const [{ exportFile }, { writeDataset }, { withVersionAsOf }] = await Promise.all([
    import('./file.ts'),
    import('./datasets.ts'),
    import('./as-of.ts'),
  ]);
  const stopped = 'export was stopped; nothing was written';
  await untilStopSignal(output, stopped, async (signal) => {
    const exported = await withProgress(output, ({ onProgress }) =>
      exportFile(settings.dataDir, options.mode, path, (partial, version) =>
        withVersionAsOf(paths.serving, version, options.asOf, async (bars) => ({
          createdMs: bars.createdMs,
          ...(await writeDataset(partial, version, request, { onProgress, signal }, bars)),
        })),
      ),
    );
    const { symbols, rows, bytes, publishedAt, note } = exported;
    output.result({ dataset, format: request.format, path, ...exported }, [
      `${path}: ${manyText(rows, 'row')} of ${manyText(symbols, 'symbol')}, ` +
        `${manyText(bytes, 'byte')}, published ${publishedAt}`,
      ...(note ? [`note: ${note}`] : []),
    ]);
  });
}

/** Intervals whose bars are stored. */
const STORED_INTERVALS = ['1d', ...STORED_INTRADAY] as const;

/** Options of files, which hold what they choose. Partitions hold all bars as stored. */
const FILE_OPTIONS = [
  'symbols',
  ...BAR_OPTIONS.filter((name) => name !== 'interval' && name !== 'session'),
  ...INDICATOR_OPTIONS,
] as const;

async function runPartitioned(
  dataset: string,
  options: ExportOptions,
  place: ObjectPlace,
): Promise<void> {
  const { format, out, interval, session = 'regular' } = options;
  if (dataset !== 'candles' || format !== 'parquet') {
    throw new UsageError(`--out must be a file for ${dataset} as ${format}, got "${out}"`);
  }
  const odd = FILE_OPTIONS.find((name) => options[name] !== undefined);
  if (odd) throw new UsageError(`${flagOf(odd)} is for files, and --out "${out}" is none`);
  const stored = STORED_INTERVALS.filter((one) => interval === undefined || one === interval);
  if (stored.length === 0) {
    const choices = STORED_INTERVALS.join(', ');
    throw new UsageError(`--interval of partitions must be one of ${choices}, got "${interval}"`);
  }
  if (session === 'extended') {
    throw new UsageError('--session of partitions must be regular or all, got "extended"');
  }
  if (interval !== undefined) checkSession(session, interval);
  const others = session === 'all' ? EXTENDED_INTRADAY : [];
  const intervals = [
    ...stored,
    ...others.filter((one) => stored.some((regular) => one === `${regular}-extended`)),
  ];
  const { settings, output, paths } = openVerb(options);
  const [{ openForReading }, { exportPartitions }] = await Promise.all([
    import('./file.ts'),
    import('./partitioned.ts'),
  ]);
  const stopped = 'export was stopped; run it again to continue';
  await untilStopSignal(output, stopped, async (signal) => {
    using version = openForReading(settings.dataDir, options.mode);
    const asked = { place, intervals, isForced: options.force === true };
    const report = await withProgress(output, ({ onProgress }) =>
      exportPartitions(paths, version, asked, { onProgress, signal }),
    );
    const { files, rows, bytes, written, writtenBytes, removed, publishedAt } = report;
    output.result({ dataset, format, place: placeText(place), ...report }, [
      `${placeText(place)}: ${manyText(rows, 'row')}, ${manyText(files, 'file')} of ` +
        `${manyText(bytes, 'byte')}, published ${publishedAt}`,
      `new: ${manyText(written, 'file')}, ${manyText(writtenBytes, 'byte')}; removed: ` +
        countText(removed),
    ]);
  });
}

/** Options of files that a layout has no use for: it has all daily bars, as traded. */
const ODD_OF_LAYOUTS = ['format', ...BAR_OPTIONS, ...INDICATOR_OPTIONS, 'force'] as const;

async function runLayout(
  dataset: string,
  options: ExportOptions,
  layout: LayoutName,
): Promise<void> {
  if (dataset !== 'candles') throw new UsageError(`--layout is for candles, got "${dataset}"`);
  const odd = ODD_OF_LAYOUTS.find((name) => options[name] !== undefined);
  if (odd)
    throw new UsageError(`${flagOf(odd)} has no meaning with --layout: it has all days, as traded`);
  const { settings, output } = openVerb(options);
  const [{ openForReading }, { writeLayout }] = await Promise.all([
    import('./file.ts'),
    import('./write-layout.ts'),
  ]);
  const folder = resolve(options.out);
  const stopped = 'export was stopped; nothing was written';
  await untilStopSignal(output, stopped, async (signal) => {
    using version = openForReading(settings.dataDir, options.mode);
    const report = await withProgress(output, ({ onProgress }) =>
      writeLayout(folder, layout, version, options.symbols, { onProgress, signal }),
    );
    output.result({ dataset, layout, folder, ...report }, layoutLines(folder, layout, report));
  });
}

function layoutLines(folder: string, layout: LayoutName, report: LayoutReport): string[] {
  const { symbols, rows, asStored, filled, rounded, tooLarge, unlisted, decimals } = report;
  const notes = [
    asStored.length > 0 &&
      `prices as traded are unknown for ${firstNames(asStored)}: these are as stored, without ` +
        'splits and dividends',
    filled > 0 && `${countText(filled)} sessions without a bar are filled`,
    rounded > 0 && `${layout} keeps ${decimals} decimals: ${manyText(rounded, 'bar')} have more`,
    tooLarge > 0 && `${layout} can't hold the volume of ${manyText(tooLarge, 'bar')}`,
    unlisted.length > 0 && `${layout} has ${firstNames(unlisted)} by name, not in its list`,
  ];
  return [
    `${folder}: ${manyText(rows, 'bar')} of ${manyText(symbols, 'symbol')} for ${layout}`,
    ...notes.flatMap((note) => (note ? `note: ${note}` : [])),
  ];
}

/** @throws {UsageError} An option is missing, or is for other datasets. */
function requestFromOptions(
  dataset: string,
  options: ExportOptions,
  paths: ModePaths,
): ExportRequest {
  const { format, adjustment, interval = '1d', session = 'regular' } = options;
  if (!format) throw new UsageError('export needs --format csv|parquet|arrow, or --layout');
  const oddOf = (names: readonly (keyof ExportOptions)[]) =>
    names.find((name) => options[name] !== undefined);
  const hasBars = dataset === 'candles' || dataset === 'indicators';
  const oddBar = hasBars ? undefined : oddOf(BAR_OPTIONS);
  if (oddBar) throw new UsageError(`${flagOf(oddBar)} is for candles and indicators only`);
  const odd = dataset === 'indicators' ? undefined : oddOf(INDICATOR_OPTIONS);
  if (odd) throw new UsageError(`--${odd} is for indicators only`);
  const { symbols } = options;
  checkSession(session, interval);
  const window = { adjustment, session, ...windowOfDays(options.from, options.to) };
  if (dataset === 'candles') return { dataset, format, symbols, window: { ...window, interval } };
  if (dataset !== 'indicators') {
    return { dataset: 'records', name: dataset, paths, out: options.out, format, symbols };
  }
  const { indicators: list, latest, digits } = options;
  if (digits !== undefined && format !== 'csv') {
    throw new UsageError(`--digits is for the format csv, got "${format}", which has all digits`);
  }
  const daily = DAILY_INTERVALS.find((name) => name === interval);
  if (!daily) {
    const choices = DAILY_INTERVALS.join(', ');
    throw new UsageError(`--interval of indicators must be one of ${choices}, got "${interval}"`);
  }
  if (!list) throw new UsageError('export indicators needs --indicators, such as rsi:14,sma:200');
  const bars = latest ? { ...window, rowsMax: 1 } : window;
  return { dataset, format, symbols, window: { ...bars, interval: daily, list, digits } };
}

export function registerExport(program: Command): void {
  program
    .command('export')
    .description('write published data to files (works while the server runs)')
    .addArgument(new Argument('<dataset>', 'what to export').choices(DATASETS))
    .addOption(
      new Option('--format <format>', 'csv, parquet, or an Arrow IPC file').choices(FORMATS),
    )
    .addOption(
      new Option('--layout <engine>', 'daily candles as a folder that an engine reads').choices(
        LAYOUTS,
      ),
    )
    .requiredOption('--out <path>', 'file to write; for partitions s3://…, file:///… or folder/')
    .addOption(modeOption())
    .option(
      '--symbols <list>',
      'only these symbols, comma-separated, or @ and a universe: @sp500',
      (text: string) => (text.startsWith('@') ? [text] : symbolsFromOption(text)),
    )
    .option('--indicators <list>', 'indicators to compute, such as rsi:14,sma:200')
    .option(
      '--digits <n>',
      'significant digits of indicators, for csv (default: all)',
      wholeNumberFor('--digits', digitsMin, digitsMax),
    )
    .option('--latest', 'only the newest row of each symbol, for indicators')
    .option('--from <date>', 'first day of bars, YYYY-MM-DD', dayFor('--from'))
    .option('--to <date>', 'last day of bars, YYYY-MM-DD', dayFor('--to'))
    .addOption(
      new Option('--interval <interval>', 'interval of bars (default: 1d)').choices(INTERVALS),
    )
    .addOption(
      new Option(
        '--adjustment <basis>',
        "price adjustment of bars (default: each symbol's own)",
      ).choices(BASES),
    )
    .addOption(
      new Option(
        '--session <sessions>',
        'bars below a day: of regular hours (the default), of extended hours, or all',
      ).choices(SESSION_CHOICES),
    )
    .option(
      '--as-of <moment>',
      'bars that were served then: a date-time, or a date for its end in New York',
    )
    .option('--force', 'overwrite an existing file, or partitions that lose most rows')
    .action(runExport);
}
