/** Splits and dividends from a user's own files: the route for every vendor. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Dividend, MICROS_PER_MILLI, MILLIS_PER_DAY, type Split } from '../bars.ts';
import type { DatasetRow } from '../datasets.ts';
import { corporateActions } from '../datasets-market.ts';
import { dateFromDay, dayFromDate, dayFromMillis } from '../dates.ts';
import { MalformedInputError, ParameterError, SourceEmptyError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { SymbolActions } from '../store/market/candle-segment.ts';
import { jsonTable } from '../store/market/sql-rows.ts';
import { rowFault } from './check-row.ts';
import { datasetRows, type ReadRow } from './dataset-rows.ts';
import type { FetchContext, FetchedSegment, SkippedInput } from './fetch-context.ts';
import { listInputs } from './list-inputs.ts';
import { countReasons, startQuarantine, writeQuarantine } from './quarantine.ts';
import { scanInputs } from './scan-inputs.ts';
import { openScratch, type Scratch } from './scratch.ts';
import { skippedText } from './skipped-notes.ts';
import { isAsked, type SourceOptions } from './source-options.ts';

/** A row with where it stands, so that it can still be refused. */
interface StatedRow {
  file: number;
  line: number;
  text: string;
  row: DatasetRow;
}

interface RefusedRow {
  file: number;
  line: number;
  reason: string;
  text: string;
}

interface ReadActions {
  rows: StatedRow[];
  refused: RefusedRow[];
  names: string[];
  skipped: SkippedInput[];
}

/** Days for which the rows are all there are. */
interface Coverage {
  fromDay: number;
  toDay: number;
}

/**
 * Reads a file, folder or zip of corporate actions as one statement a symbol.
 *
 * The statement is taken to be complete from `--from` (else the earliest date there is) to `--to`
 * (else the day of `--as-of`, else that of the run): prices can be adjusted for just those days.
 *
 * @throws {ParameterError} `path` is missing or nothing is there.
 * @throws {SourceEmptyError} no row is good.
 */
export async function* fetchActionFiles(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const { path } = options;
  if (!path) throw new ParameterError('path', 'path must be a file, folder or zip for files');
  const scratch = await openScratch(context);
  try {
    const coverage = coverageOf(options, context);
    const read = await readActions(path, options, scratch, context);
    refuseOthers(read, coverage);
    const actions = statements(read, coverage);
    const accepted = read.rows.length;
    const id = statementId(actions);
    await startQuarantine(scratch);
    await keepRefused(scratch, read, join(context.paths.quarantine, `${id}.csv`));
    if (accepted === 0) throw nothingStated(path, read);
    yield {
      id,
      dataset: 'corporate-actions',
      source: 'files',
      interval: '1d',
      basis: 'raw',
      asOfUs: options.asOfUs ?? newestMicros(read.rows),
      origin: path,
      kind: 'external',
      files: [],
      groups: [],
      examine: async () => [],
      acceptedLines: accepted,
      rejectedLines: read.refused.length,
      actions,
      skipped: read.skipped,
      rejectedByReason: await countReasons(scratch),
    };
  } finally {
    await scratch.close();
  }
}

async function readActions(
  path: string,
  options: SourceOptions,
  scratch: Scratch,
  context: FetchContext,
): Promise<ReadActions> {
  const list = await listInputs(path);
  const read: ReadActions = { rows: [], refused: [], names: [], skipped: list.skipped };
  for (const scanned of await scanInputs(list.files, scratch.folder, context)) {
    const { name, form } = scanned.input;
    const skip = (reason: string) => read.skipped.push({ name, reason, isRefused: true });
    if ('damage' in scanned) skip(scanned.damage);
    else if (scanned.scan.bytes === 0) read.skipped.push({ name, reason: 'it has zero bytes' });
    else {
      const file = read.names.push(name) - 1;
      const rows = datasetRows(corporateActions, scanned.diskPath, form, scratch);
      await collect(rows, file, options, read).catch((error: unknown) => {
        if (!(error instanceof MalformedInputError)) throw error;
        // What it gave until then would be a part that poses as the whole.
        read.rows = read.rows.filter((row) => row.file !== file);
        read.refused = read.refused.filter((row) => row.file !== file);
        skip(error.message);
      });
    }
  }
  refuseRepeats(read);
  return read;
}

async function collect(
  rows: AsyncIterable<ReadRow>,
  file: number,
  options: SourceOptions,
  { rows: good, refused }: ReadActions,
): Promise<void> {
  for await (const { line, text, ...read } of rows) {
    const reason = 'reason' in read ? read.reason : rowFault(corporateActions, read.row);
    if (reason !== undefined) refused.push({ file, line, text, reason });
    else if ('row' in read && isAsked(String(read.row.symbol), options)) {
      good.push({ file, line, text, row: read.row });
    }
  }
}

/** Two dividends of one day are two payments, unless their amounts are equal: then a copy. */
function refuseRepeats(read: ReadActions): void {
  const seen = new Set<string>();
  const kept: StatedRow[] = [];
  for (const stated of read.rows.toReversed()) {
    const { symbol, type, exDate, amount } = stated.row;
    const key = JSON.stringify([symbol, type, exDate, amount]);
    if (!seen.has(key)) kept.unshift(stated);
    else read.refused.push({ ...stated, reason: `a later line states the same ${type}` });
    seen.add(key);
  }
  read.rows = kept;
}

/** Of days that the statement does not cover nothing could be believed. */
function refuseOthers(read: ReadActions, { fromDay, toDay }: Coverage): void {
  const days = `${dateFromDay(fromDay)} to ${dateFromDay(toDay)}`;
  const reason = `exDate is not in ${days}, for which the file is taken: see --from and --to`;
  const isCovered = ({ row }: StatedRow) =>
    Number(row.exDate) >= fromDay && Number(row.exDate) <= toDay;
  const others = read.rows.filter((stated) => !isCovered(stated));
  read.rows = read.rows.filter(isCovered);
  read.refused.push(...others.map((stated) => ({ ...stated, reason })));
}

function coverageOf({ fromDay, toDay, asOfUs }: SourceOptions, { nowMs }: FetchContext): Coverage {
  const asOfMs = asOfUs === undefined ? nowMs : Number(asOfUs / BigInt(MICROS_PER_MILLI));
  return {
    fromDay: fromDay ?? dayFromDate(limits.ingest.earliestDate),
    toDay: toDay ?? dayFromMillis(asOfMs),
  };
}

function statements({ rows }: ReadActions, { fromDay, toDay }: Coverage): SymbolActions[] {
  const bySymbol = Map.groupBy(rows, ({ row }) => String(row.symbol));
  return [...bySymbol.keys()].sort().map((symbol) => ({
    symbol,
    splits: splitsOf(bySymbol.get(symbol)!),
    dividends: dividendsOf(bySymbol.get(symbol)!),
    coverageFromDay: fromDay,
    coverageToDay: toDay,
  }));
}

function splitsOf(rows: readonly StatedRow[]): Split[] {
  return rows
    .filter(({ row }) => row.type === 'split')
    .map(({ row }) => ({
      exDay: Number(row.exDate),
      numerator: Number(row.numerator),
      denominator: Number(row.denominator),
    }))
    .sort((a, b) => a.exDay - b.exDay);
}

function dividendsOf(rows: readonly StatedRow[]): Dividend[] {
  const amounts = new Map<number, number>();
  for (const { row } of rows) {
    if (row.type !== 'dividend') continue;
    const exDay = Number(row.exDate);
    amounts.set(exDay, (amounts.get(exDay) ?? 0) + Number(row.amount));
  }
  return [...amounts]
    .map(([exDay, amount]) => ({ exDay, amount }))
    .sort((a, b) => a.exDay - b.exDay);
}

function newestMicros(rows: readonly StatedRow[]): bigint {
  const newestDay = rows.reduce((day, { row }) => Math.max(day, Number(row.exDate)), 0);
  return BigInt(newestDay * MILLIS_PER_DAY) * BigInt(MICROS_PER_MILLI);
}

/** The same statements are the same segment, whatever file they stood in. */
function statementId(actions: readonly SymbolActions[]): string {
  return createHash('sha256')
    .update(`corporate-actions files\n${JSON.stringify(actions)}`)
    .digest('hex');
}

async function keepRefused(
  scratch: Scratch,
  { refused, names }: ReadActions,
  path: string,
): Promise<void> {
  if (refused.length === 0) return;
  const connection = await scratch.connect();
  await connection.run(
    `INSERT INTO rejected SELECT * FROM ${jsonTable({
      file: 'INTEGER',
      line: 'BIGINT',
      reason: 'VARCHAR',
      text: 'VARCHAR',
    })}`,
    [JSON.stringify(refused.map(({ file, line, reason, text }) => ({ file, line, reason, text })))],
  );
  await writeQuarantine(scratch, 'files', names, path);
}

function nothingStated(path: string, { skipped, refused }: ReadActions): SourceEmptyError {
  const reasons = [
    ...skipped.map(skippedText),
    ...refused.map(({ line, reason }) => `line ${line}: ${reason}`),
  ];
  const shown = reasons.slice(0, 5).join('; ') || 'no row of the symbols asked for';
  return new SourceEmptyError(`"${path}" states no corporate actions (${shown})`);
}
