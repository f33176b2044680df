/** `export <dataset>`: writes published data to a file; works while a server runs. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { BASES, type Basis, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../base/bars.ts';
import { settingsFromEnv } from '../../base/config/config.ts';
import { countText } from '../../base/count-text.ts';
import { UsageError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { dayFromDate } from '../../base/time/dates.ts';
import { INTERVALS, type Interval } from '../../base/time/intervals.ts';
import { modeFromOption } from '../mode.ts';
import { createOutput } from '../output.ts';
import { stopSignal, withProgress } from '../progress.ts';
import { DATASETS, type ExportDataset, type ExportFormat, FORMATS } from './formats.ts';

interface ExportOptions {
  format: ExportFormat;
  out: string;
  mode: string;
  symbols?: string;
  from?: string;
  to?: string;
  interval?: Interval;
  adjustment?: Basis;
  force?: boolean;
  json?: boolean;
}

/** Options for candles only. */
const CANDLE_OPTIONS = ['from', 'to', 'interval', 'adjustment'] as const;

async function runExport(dataset: ExportDataset, options: ExportOptions): Promise<void> {
  const { dataDir } = settingsFromEnv(process.env);
  const mode = modeFromOption(options.mode);
  const path = pathFromOption(options.out, options.force === true);
  const request = requestFromOptions(dataset, options);
  const [{ exportFile }, { writeDataset }] = await Promise.all([
    import('./file.ts'),
    import('./datasets.ts'),
  ]);
  const output = createOutput(options.json === true);
  const signal = stopSignal();
  try {
    const exported = await withProgress(output, ({ onProgress }) =>
      exportFile(dataDir, mode, path, (partial, version) =>
        writeDataset(partial, version, request, { onProgress, signal }),
      ),
    );
    const { symbols, rows, bytes, publishedAt } = exported;
    output.result({ dataset, format: request.format, path, ...exported }, [
      `${path}: ${countText(rows)} rows of ${countText(symbols)} symbols, ` +
        `${countText(bytes)} bytes, published ${publishedAt}`,
    ]);
  } catch (error) {
    if (!signal.aborted) throw error;
    output.note('export was stopped; nothing was written');
    process.exitCode = 1;
  }
}

function requestFromOptions(dataset: ExportDataset, options: ExportOptions) {
  const { format, adjustment, interval = '1d' } = options;
  const odd = CANDLE_OPTIONS.find((name) => options[name] !== undefined);
  if (dataset !== 'candles' && odd) throw new UsageError(`--${odd} is for candles only`);
  const symbols = options.symbols?.split(',').map((text) => canonicalSymbol(text.trim()));
  const window = { interval, adjustment, ...windowFromDates(options.from, options.to) };
  return { dataset, format, symbols: symbols && [...new Set(symbols)], window };
}

/** Reads the path. @throws {UsageError} it is a folder, or a file that must not be replaced. */
function pathFromOption(out: string, isForced: boolean): string {
  const path = resolve(out);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new UsageError(`--out must be a file, "${path}" is a folder`);
  if (stats && !isForced) throw new UsageError(`"${path}" exists: --force replaces it`);
  return path;
}

/** Converts dates to the first and the last microsecond. */
function windowFromDates(from: string | undefined, to: string | undefined) {
  const startUs = (day: number) => BigInt(day * MILLIS_PER_DAY * MICROS_PER_MILLI);
  const fromUs = from === undefined ? undefined : startUs(dayFromDate(from, '--from'));
  const toUs = to === undefined ? undefined : startUs(dayFromDate(to, '--to') + 1) - 1n;
  if (fromUs !== undefined && toUs !== undefined && fromUs > toUs) {
    throw new UsageError(`--from must not be after --to "${to}", got "${from}"`);
  }
  return { fromUs, toUs };
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
    .option('--mode <mode>', 'live or sandbox', 'live')
    .option('--symbols <list>', 'only these symbols, comma-separated')
    .option('--from <date>', 'first day of candles, YYYY-MM-DD')
    .option('--to <date>', 'last day of candles, YYYY-MM-DD')
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
    .option('--json', 'print one JSON document')
    .action(runExport);
}
