/** Reads splits and dividends from a user's own files, the route for every vendor. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Dividend, MICROS_PER_MILLI, type Split } from '../../base/bars.ts';
import type { DatasetRow } from '../../base/datasets/dataset.ts';
import { corporateActions } from '../../base/datasets/market.ts';
import { MalformedInputError, ParameterError, SourceEmptyError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import { dateFromDay, dayFromDate, dayFromMillis } from '../../base/time/dates.ts';
import type { SymbolActions } from '../../store/duckdb/connection/candle-segment.ts';
import { jsonTable } from '../../store/duckdb/connection/sql-rows.ts';
import type { FetchContext, FetchedSegment, SkippedInput } from '../contract/fetch-context.ts';
import { whyNothing } from '../contract/skipped-notes.ts';
import { isAsked, type SourceOptions } from '../contract/source-options.ts';
import { newestModifiedUs } from '../inputs/input-file.ts';
import { listInputs } from '../inputs/list-inputs.ts';
import { scanInputs } from '../inputs/scan-inputs.ts';
import {
  countReasons,
  firstRefusals,
  startQuarantine,
  writeQuarantine,
} from '../segments/quarantine.ts';
import { openScratch, type Scratch } from '../segments/scratch.ts';
import { rowFault } from './check-row.ts';
import { datasetRows, type ReadRow } from './text-rows.ts';

/** A row with its place in the file, so that it can still be refused. */
interface StatedRow {
  file: number;
  line: number;
  text: string;
  row: DatasetRow;
}

type RefusedRow = Omit<StatedRow, 'row'> & { reason: string };

/** Good rows, by the action that they state. */
type Statements = Map<string, StatedRow>;

interface ReadActions {
  rows: readonly StatedRow[];
  names: string[];
  skipped: SkippedInput[];
  /** Modification time of the newest file. */
  modifiedUs: bigint;
}

/** Days for which the rows are complete. */
interface Coverage {
  fromDay: number;
  toDay: number;
}

/**
 * Reads a file, folder or zip of corporate actions as one corporate-action record a symbol.
 *
 * The record counts as complete from `--from` (else the earliest date in the files) to `--to` (else
 * the day of `--as-of`, else that of the run). Prices can be adjusted for just those days.
 *
 * @throws {ParameterError} `path` is missing or does not exist.
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
    const refusals = new Refusals(scratch);
    const { rows, names, skipped, modifiedUs } = await readActions(path, options, {
      scratch,
      context,
      coverage,
      refusals,
    });
    const actions = statements(rows, coverage);
    const asOfUs = options.asOfUs ?? context.fileAsOfUs ?? modifiedUs;
    const id = statementId(actions, asOfUs);
    const rejectedByReason = await countReasons(scratch);
    if (rejectedByReason.size > 0) {
      await writeQuarantine(scratch, 'files', names, join(context.paths.quarantine, `${id}.csv`));
    }
    if (rows.length === 0) throw nothingStated(path, skipped, rejectedByReason);
    yield {
      id,
      dataset: 'corporate-actions',
      source: 'files',
      interval: '1d',
      basis: 'raw',
      asOfUs,
      origin: path,
      kind: 'external',
      files: [],
      groups: [],
      examine: async () => [],
      acceptedLines: rows.length,
      rejectedLines: rejectedByReason.values().reduce((sum, count) => sum + count, 0),
      actions,
      skipped,
      rejectedByReason,
    };
  } finally {
    await scratch.close();
  }
}

interface Reading {
  scratch: Scratch;
  context: FetchContext;
  coverage: Coverage;
  refusals: Refusals;
}

async function readActions(
  path: string,
  options: SourceOptions,
  reading: Reading,
): Promise<ReadActions> {
  const { scratch, context, refusals } = reading;
  await startQuarantine(scratch);
  const { files, skipped } = await listInputs(path);
  const names: string[] = [];
  const stated: Statements = new Map();
  const unread = new Set<number>();
  for (const scanned of await scanInputs(files, scratch.folder, context)) {
    const { name, form } = scanned.input;
    const skip = (reason: string) => skipped.push({ name, reason, isRefused: true });
    if ('damage' in scanned) skip(scanned.damage);
    else if (scanned.scan.bytes === 0) skipped.push({ name, reason: 'it has zero bytes' });
    else {
      const file = names.push(name) - 1;
      const rows = datasetRows(corporateActions, scanned.diskPath, form, scratch);
      try {
        const { ofFile, isWhole } = await collect(rows, file, options, reading);
        for (const one of ofFile.values()) await keepLast(stated, one, refusals);
        if (ofFile.size > 0 || !isWhole) unread.add(file);
      } catch (error) {
        if (!(error instanceof MalformedInputError)) throw error;
        // The rows read so far would look like the whole file.
        await refusals.forget(file);
        skip(error.message);
      }
    }
  }
  await refusals.flush();
  const refused = [...names.keys()].filter((file) => !unread.has(file));
  for (const { file, count: _, ...fault } of await firstRefusals(scratch, refused, REPEATED)) {
    skipped.push({ name: names[file], ...fault });
  }
  return { rows: [...stated.values()], names, skipped, modifiedUs: newestModifiedUs(files) ?? 0n };
}

/** Collects the requested good rows of a file. Returns true if these are all of its good rows. */
async function collect(
  rows: AsyncIterable<ReadRow>,
  file: number,
  options: SourceOptions,
  { coverage, refusals }: Reading,
): Promise<{ ofFile: Statements; isWhole: boolean }> {
  const ofFile: Statements = new Map();
  let isWhole = true;
  for await (const { line, text, ...read } of rows) {
    const fault = 'reason' in read ? read.reason : rowFault(corporateActions, read.row);
    if (fault !== undefined) await refusals.add({ file, line, text, reason: fault });
    else if ('row' in read) {
      const { row } = read;
      if (!isAsked(String(row.symbol), options)) isWhole = false;
      else if (isCovered(row, coverage))
        await keepLast(ofFile, { file, line, text, row }, refusals);
      else await refusals.add({ file, line, text, reason: notCovered(coverage) });
    }
  }
  return { ofFile, isWhole };
}

const repeated = (type: string) => `a later line states the same ${type}`;
const REPEATED = ['split', 'dividend'].map(repeated);

/**
 * Keeps the last of two equal rows. Two dividends of one day are two payments, unless their amounts
 * are equal: then one is a copy.
 */
async function keepLast(to: Statements, stated: StatedRow, refusals: Refusals): Promise<void> {
  const { symbol, type, exDate, amount } = stated.row;
  const key = JSON.stringify([symbol, type, exDate, amount]);
  const earlier = to.get(key);
  to.delete(key);
  to.set(key, stated);
  if (!earlier) return;
  const { file, line, text } = earlier;
  await refusals.add({ file, line, text, reason: repeated(String(type)) });
}

/** Returns true if the record covers the day. Actions on other days could not be relied on. */
function isCovered({ exDate }: DatasetRow, { fromDay, toDay }: Coverage): boolean {
  return Number(exDate) >= fromDay && Number(exDate) <= toDay;
}

function notCovered({ fromDay, toDay }: Coverage): string {
  const days = `${dateFromDay(fromDay)} to ${dateFromDay(toDay)}`;
  return `exDate is not in ${days}, for which the file is taken: see --from and --to`;
}

/** Writes refused rows to the scratch table `rejected` in batches. */
class Refusals {
  readonly #scratch: Scratch;
  #rows: RefusedRow[] = [];

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
  }

  async add(row: RefusedRow): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length >= limits.ingest.refusedRowsHeld) await this.flush();
  }

  async flush(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    const columns = { file: 'INTEGER', line: 'BIGINT', reason: 'VARCHAR', text: 'VARCHAR' };
    const connection = await this.#scratch.connect();
    await connection.run(`INSERT INTO rejected SELECT * FROM ${jsonTable(columns)}`, [
      JSON.stringify(rows),
    ]);
  }

  /** Drops the rows of a file that is not read after all. */
  async forget(file: number): Promise<void> {
    await this.flush();
    const connection = await this.#scratch.connect();
    await connection.run(`DELETE FROM rejected WHERE file_index = ${file}`);
  }
}

function coverageOf({ fromDay, toDay, asOfUs }: SourceOptions, { nowMs }: FetchContext): Coverage {
  const asOfMs = asOfUs === undefined ? nowMs : Number(asOfUs / BigInt(MICROS_PER_MILLI));
  return {
    fromDay: fromDay ?? dayFromDate(limits.ingest.earliestDate),
    toDay: toDay ?? dayFromMillis(asOfMs),
  };
}

function statements(rows: readonly StatedRow[], { fromDay, toDay }: Coverage): SymbolActions[] {
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

/**
 * Id by content: the same actions of the same time are one segment, in whichever file they stood.
 */
function statementId(actions: readonly SymbolActions[], asOfUs: bigint): string {
  return createHash('sha256')
    .update(`corporate-actions files ${asOfUs}\n${JSON.stringify(actions)}`)
    .digest('hex');
}

function nothingStated(
  path: string,
  skipped: readonly SkippedInput[],
  rejectedByReason: ReadonlyMap<string, number>,
): SourceEmptyError {
  const reasons = whyNothing(skipped, rejectedByReason) || 'no row of the symbols asked for';
  return new SourceEmptyError(`"${path}" states no corporate actions: ${reasons}`);
}
