import { createHash } from 'node:crypto';
import { type Dividend, MICROS_PER_MILLI } from '../../base/bars.ts';
import { corporateActions } from '../../base/datasets/market.ts';
import { limits } from '../../base/limits.ts';
import { dateFromDay, dayFromDate, dayFromMillis } from '../../base/time/dates.ts';
import type { SymbolActions } from '../../store/duckdb/connection/candle-segment.ts';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import type { FetchContext, FetchedSegment } from '../contract/fetch-context.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { writeQuarantine } from '../segments/quarantine.ts';
import { openScratch } from '../segments/scratch.ts';
import { nothingGood, stageFiles } from './files.ts';
import type { UncheckedRow } from './stage-rows.ts';

/** A good row. A split has a numerator and a denominator, a dividend an amount. */
interface ActionRow {
  symbol: string;
  type: 'split' | 'dividend';
  exDay: number;
  numerator: number;
  denominator: number;
  amount: number;
  /** Null for that of the prices. */
  currency: string | null;
}

interface Coverage {
  fromDay: number;
  toDay: number;
}

/**
 * Reads a file, folder or zip of corporate actions as one corporate-action record a symbol.
 *
 * The record is complete from `--from` (else the earliest date of files) to `--to` (else the day
 * of `--as-of`, else that of the run): prices can be adjusted for just those days.
 * @throws {SourceEmptyError} no row is good.
 */
export async function* fetchActionFiles(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  await using scratch = await openScratch(context);
  const coverage = coverageOf(options, context);
  const { path, names, skipped, notes, modifiedUs, rejectedByReason } = await stageFiles(
    corporateActions,
    // A row outside of the days is refused, where other datasets leave it out.
    { ...options, fromDay: undefined, toDay: undefined },
    { scratch, context, check: (one) => coveredRow(one, coverage) },
  );
  const rows = await selectRows<ActionRow>(
    await scratch.connect(),
    `SELECT symbol, type, (ex_date - DATE '1970-01-01')::INTEGER AS "exDay", numerator::DOUBLE AS numerator,
       denominator::DOUBLE AS denominator, amount, currency FROM accepted ORDER BY ordinal`,
  );
  const actions = actionsOfRows(rows, coverage);
  const asOfUs = options.asOfUs ?? context.fileAsOfUs ?? modifiedUs ?? 0n;
  const id = actionsId(actions, asOfUs);
  await writeQuarantine(scratch, context, { id, source: 'files', names });
  if (rows.length === 0) throw nothingGood(path, { skipped, rejectedByReason });
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
    notes,
    rejectedByReason,
  };
}

function coverageOf({ fromDay, toDay, asOfUs }: SourceOptions, { nowMs }: FetchContext): Coverage {
  const asOfMs = asOfUs === undefined ? nowMs : Number(asOfUs / BigInt(MICROS_PER_MILLI));
  return {
    fromDay: fromDay ?? dayFromDate(limits.ingest.earliestDate),
    toDay: toDay ?? dayFromMillis(asOfMs),
  };
}

/** Refuses a row of a day that the record does not cover: it could not be relied on. */
function coveredRow(one: UncheckedRow, { fromDay, toDay }: Coverage): UncheckedRow {
  if (!('row' in one)) return one;
  const { row, ...place } = one;
  const { exDate } = row;
  if (typeof exDate !== 'number' || (exDate >= fromDay && exDate <= toDay)) return one;
  const days = `${dateFromDay(fromDay)} to ${dateFromDay(toDay)}`;
  const reason = `exDate is not in ${days}, for which the file is taken: see --from and --to`;
  return { ...place, reason };
}

function actionsOfRows(rows: readonly ActionRow[], { fromDay, toDay }: Coverage): SymbolActions[] {
  const bySymbol = Map.groupBy(rows, ({ symbol }) => symbol);
  const byDay = (a: { exDay: number }, b: { exDay: number }) => a.exDay - b.exDay;
  return [...bySymbol.keys()].sort().map((symbol) => {
    const { split = [], dividend = [] } = Object.groupBy(bySymbol.get(symbol)!, (row) => row.type);
    return {
      symbol,
      splits: split
        .map(({ exDay, numerator, denominator }) => ({ exDay, numerator, denominator }))
        .sort(byDay),
      dividends: dividendsOfDays(dividend).sort(byDay),
      coverageFromDay: fromDay,
      coverageToDay: toDay,
    };
  });
}

/** Adds up the dividends of a day and currency. Equal amounts are copies: one of them is left. */
function dividendsOfDays(rows: readonly ActionRow[]): Dividend[] {
  const byDay = Map.groupBy(rows, ({ exDay, currency }) => `${exDay} ${currency}`);
  return [...byDay.values()].map((paid) => {
    const [{ exDay, currency }] = paid;
    const amount = paid.reduce((sum, one) => sum + one.amount, 0);
    return { exDay, amount, ...(currency !== null && { currency }) };
  });
}

/** Id by content: the same actions of the same time are one segment, whatever their file. */
function actionsId(actions: readonly SymbolActions[], asOfUs: bigint): string {
  return createHash('sha256')
    .update(`corporate-actions files ${asOfUs}\n${JSON.stringify(actions)}`)
    .digest('hex');
}
