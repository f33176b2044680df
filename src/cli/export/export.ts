/** `export <dataset>`: writes published data to a file; works while a server runs. */

import { Argument, type Command, Option } from 'commander';
import { BASES, type Basis, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../base/bars.ts';
import { countText } from '../../base/count-text.ts';
import { UsageError } from '../../base/errors.ts';
import { DAILY_INTERVALS, INTERVALS, type Interval } from '../../base/time/intervals.ts';
import {
  dayFor,
  type ModeOptions,
  modeOption,
  openVerb,
  requireOrder,
  symbolsFromOption,
} from '../options.ts';
import { untilStopSignal, withProgress } from '../progress.ts';
import type { ExportRequest } from './datasets.ts';
import { DATASETS, type ExportDataset, type ExportFormat, FORMATS } from './formats.ts';
import { pathFromOption } from './out-path.ts';

interface ExportOptions extends ModeOptions {
  format: ExportFormat;
  out: string;
  symbols?: string[];
  /** Day numbers. */
  from?: number;
  to?: number;
  interval?: Interval;
  adjustment?: Basis;
  indicators?: string;
  latest?: boolean;
  force?: boolean;
}

/** Options for bars, and those for indicators only. */
const BAR_OPTIONS = ['from', 'to', 'interval', 'adjustment'] as const;
const INDICATOR_OPTIONS = ['indicators', 'latest'] as const;

async function runExport(dataset: ExportDataset, options: ExportOptions): Promise<void> {
  const { settings, output } = openVerb(options);
  const path = pathFromOption(options.out, options.force === true);
  const request = requestFromOptions(dataset, options);
  const [{ exportFile }, { writeDataset }] = await Promise.all([
    import('./file.ts'),
    import('./datasets.ts'),
  ]);
  const stopped = 'export was stopped; nothing was written';
  await untilStopSignal(output, stopped, async (signal) => {
    const exported = await withProgress(output, ({ onProgress }) =>
      exportFile(settings.dataDir, options.mode, path, (partial, version) =>
        writeDataset(partial, version, request, { onProgress, signal }),
      ),
    );
    const { symbols, rows, bytes, publishedAt } = exported;
    output.result({ dataset, format: request.format, path, ...exported }, [
      `${path}: ${countText(rows)} rows of ${countText(symbols)} symbols, ` +
        `${countText(bytes)} bytes, published ${publishedAt}`,
    ]);
  });
}

/** @throws {UsageError} An option is missing, or is for other datasets. */
function requestFromOptions(dataset: ExportDataset, options: ExportOptions): ExportRequest {
  const { format, adjustment, interval = '1d' } = options;
  const oddOf = (names: readonly (keyof ExportOptions)[]) =>
    names.find((name) => options[name] !== undefined);
  const hasBars = dataset === 'candles' || dataset === 'indicators';
  const oddBar = hasBars ? undefined : oddOf(BAR_OPTIONS);
  if (oddBar) throw new UsageError(`--${oddBar} is for candles and indicators only`);
  const odd = dataset === 'indicators' ? undefined : oddOf(INDICATOR_OPTIONS);
  if (odd) throw new UsageError(`--${odd} is for indicators only`);
  const { from, to, symbols } = options;
  requireOrder(from, to);
  const startUs = (day: number) => BigInt(day * MILLIS_PER_DAY * MICROS_PER_MILLI);
  const fromUs = from === undefined ? undefined : startUs(from);
  const toUs = to === undefined ? undefined : startUs(to + 1) - 1n;
  const window = { adjustment, fromUs, toUs };
  if (dataset === 'candles') return { dataset, format, symbols, window: { ...window, interval } };
  if (dataset !== 'indicators') return { dataset, format, symbols };
  const { indicators: list, latest: isLatest = false } = options;
  const daily = DAILY_INTERVALS.find((name) => name === interval);
  if (!daily) {
    const choices = DAILY_INTERVALS.join(', ');
    throw new UsageError(`--interval of indicators must be one of ${choices}, got "${interval}"`);
  }
  if (!list) throw new UsageError('export indicators needs --indicators, such as rsi:14,sma:200');
  return { dataset, format, symbols, window: { ...window, interval: daily, list, isLatest } };
}

export function registerExport(program: Command): void {
  program
    .command('export')
    .description('write published data to a file (works while the server runs)')
    .addArgument(new Argument('<dataset>', 'what to export').choices(DATASETS))
    .addOption(
      new Option('--format <format>', 'csv, parquet, or an Arrow IPC file')
        .choices(FORMATS)
        .makeOptionMandatory(),
    )
    .requiredOption('--out <path>', 'file to write')
    .addOption(modeOption())
    .option('--symbols <list>', 'only these symbols, comma-separated', symbolsFromOption)
    .option('--indicators <list>', 'indicators to compute, such as rsi:14,sma:200')
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
    .option('--force', 'overwrite an existing file')
    .action(runExport);
}
