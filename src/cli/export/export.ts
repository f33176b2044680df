/** `export <dataset>`: writes published data to a file; works while a server runs. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { BASES, type Basis, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../base/bars.ts';
import { countText } from '../../base/count-text.ts';
import { UsageError } from '../../base/errors.ts';
import { INTERVALS, type Interval } from '../../base/time/intervals.ts';
import {
  dayFor,
  type ModeOptions,
  modeOption,
  openVerb,
  requireOrder,
  symbolsFromOption,
} from '../options.ts';
import { untilStopSignal, withProgress } from '../progress.ts';
import { DATASETS, type ExportDataset, type ExportFormat, FORMATS } from './formats.ts';

interface ExportOptions extends ModeOptions {
  format: ExportFormat;
  out: string;
  symbols?: string[];
  /** Day numbers. */
  from?: number;
  to?: number;
  interval?: Interval;
  adjustment?: Basis;
  force?: boolean;
}

/** Options for candles only. */
const CANDLE_OPTIONS = ['from', 'to', 'interval', 'adjustment'] as const;

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

function requestFromOptions(dataset: ExportDataset, options: ExportOptions) {
  const { format, adjustment, interval = '1d' } = options;
  const odd = CANDLE_OPTIONS.find((name) => options[name] !== undefined);
  if (dataset !== 'candles' && odd) throw new UsageError(`--${odd} is for candles only`);
  const { from, to, symbols } = options;
  requireOrder(from, to);
  const startUs = (day: number) => BigInt(day * MILLIS_PER_DAY * MICROS_PER_MILLI);
  const fromUs = from === undefined ? undefined : startUs(from);
  const toUs = to === undefined ? undefined : startUs(to + 1) - 1n;
  return { dataset, format, symbols, window: { interval, adjustment, fromUs, toUs } };
}

/** Reads the path. @throws {UsageError} it is a folder, or a file that must not be replaced. */
function pathFromOption(out: string, isForced: boolean): string {
  const path = resolve(out);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new UsageError(`--out must be a file, "${path}" is a folder`);
  if (stats && !isForced) throw new UsageError(`"${path}" exists: --force replaces it`);
  return path;
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
    .option('--from <date>', 'first day of candles, YYYY-MM-DD', dayFor('--from'))
    .option('--to <date>', 'last day of candles, YYYY-MM-DD', dayFor('--to'))
    .addOption(
      new Option('--interval <interval>', 'interval of candles (default: 1d)').choices(INTERVALS),
    )
    .addOption(
      new Option(
        '--adjustment <basis>',
        "price adjustment of candles (default: each symbol's own)",
      ).choices(BASES),
    )
    .option('--force', 'overwrite an existing file')
    .action(runExport);
}
