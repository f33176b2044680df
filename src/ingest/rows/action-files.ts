import { createHash } from 'node:crypto';
import { MICROS_PER_MILLI } from '../../base/bars.ts';
import type { DatasetRow } from '../../base/datasets/dataset.ts';
import { corporateActions } from '../../base/datasets/market.ts';
import { limits } from '../../base/limits.ts';
import { dateFromDay, dayFromDate, dayFromMillis } from '../../base/time/dates.ts';
import type { ActionType, SymbolActions } from '../../store/duckdb/connection/candle-segment.ts';
import { jsonTable, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import type { FetchContext, FetchedSegment, SkippedInput } from '../contract/fetch-context.ts';
import { isAsked, type SourceOptions, statedAsOf } from '../contract/source-options.ts';
import { countReasons, writeQuarantine } from '../segments/quarantine.ts';
import { openScratch, type Scratch } from '../segments/scratch.ts';
import {
  type ActionRow,
  actionRecords,
  type Coverage,
  contradiction,
  coveredType,
} from './action-records.ts';
import { actionSpelling } from './action-spelling.ts';
import { rowFault } from './check-row.ts';
import { nothingGood, stageFiles, unservedOf } from './files.ts';
import type { UncheckedRow } from './stage-rows.ts';

const BOTH: readonly ActionType[] = ['split', 'dividend'];

/**
 * Reads a file, folder or zip of corporate actions as one corporate-action record a symbol.
 *
 * The record is complete from `--from` (else the earliest date of files) to `--to` (else the day
 * of `--as-of`, else that of the run): prices can be adjusted for just those days. Files of one
 * type know that type alone, unless `complete`. A refused row leaves its symbol's type unknown,
 * and refuses the other rows of it.
 * @throws {SourceEmptyError} no row is good, and no symbol is declared.
 */
export async function* fetchActionFiles(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  await using scratch = await openScratch(context);
  const coverage = coverageOf(options, context);
  const gaps = new Gaps(options, coverage);
  const staged = await stageFiles(
    corporateActions,
    // A row outside of the days is refused, where other datasets leave it out.
    { ...options, fromDay: undefined, toDay: undefined },
    {
      ...{ scratch, context },
      check: (one) => gaps.checked(one),
      spellingOf: (rows, name) => actionSpelling(rows, options, name),
    },
  );
  const { path, names, skipped, notes, modifiedUs } = staged;
  gaps.addContradictions(await readRows(scratch));
  await refuseIncomplete(scratch, gaps);
  const rejectedByReason = await countReasons(scratch);
  const rows = await readRows(scratch);
  const actions = actionRecords(rows, gaps.typesOf(rows), coverage);
  const asOfUs = statedAsOf(options) ?? context.fileAsOfUs ?? modifiedUs ?? 0n;
  const id = actionsId(actions, asOfUs);
  await writeQuarantine(scratch, context, { id, source: 'files', names });
  if (actions.length === 0) throw nothingGood(path, { skipped, rejectedByReason });
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
    skipped: [...skipped, ...gaps.skipped()],
    notes: [...notes, ...gaps.notes(), ...unknownNotes(rows, options, context)],
    rejectedByReason,
  };
}

function coverageOf({ fromDay, toDay, asOfUs }: SourceOptions, { nowMs }: FetchContext): Coverage {
  const asOfMs = asOfUs === undefined ? nowMs : Number(asOfUs) / MICROS_PER_MILLI;
  return {
    fromDay: fromDay ?? dayFromDate(limits.ingest.earliestDate),
    toDay: toDay ?? dayFromMillis(asOfMs),
  };
}

async function readRows(scratch: Scratch): Promise<ActionRow[]> {
  return selectRows<ActionRow>(
    await scratch.connect(),
    `SELECT symbol, type, (ex_date - DATE '1970-01-01')::INTEGER AS "exDay", numerator::DOUBLE AS numerator,
       denominator::DOUBLE AS denominator, amount, currency FROM accepted ORDER BY ordinal`,
  );
}

/** Refuses the good rows of a type that a refused row of the symbol leaves incomplete. */
async function refuseIncomplete(scratch: Scratch, gaps: Gaps): Promise<void> {
  const missing = gaps.list();
  if (missing.length === 0) return;
  const connection = await scratch.connect();
  const columns = { symbol: 'VARCHAR', covers: 'VARCHAR' };
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE incomplete AS SELECT DISTINCT * FROM ${jsonTable(columns)}`,
    [JSON.stringify(missing)],
  );
  const isIncomplete = `EXISTS (SELECT 1 FROM incomplete i WHERE i.symbol = accepted.symbol
    AND (i.covers = 'split') = (type IN ('split', 'cancelled split')))`;
  await connection.run(`
    INSERT INTO rejected SELECT file_index, file_line, '${INCOMPLETE}', text
    FROM accepted WHERE ${isIncomplete}`);
  await connection.run(`DELETE FROM accepted WHERE ${isIncomplete}`);
}

const INCOMPLETE = 'its symbol has a refused row of this type, so the others do not count either';

/** Lists of actions that a refused row leaves incomplete, by symbol and type. */
class Gaps {
  readonly #options: SourceOptions;
  readonly #coverage: Coverage;
  readonly #reasons = new Map<string, Map<ActionType, string>>();
  readonly #types = new Set<ActionType>();
  /** Types of rows that only withdraw an action, by symbol: they tell nothing of other symbols. */
  readonly #withdrawn = new Map<string, Set<ActionType>>();
  readonly #nameless: SkippedInput[] = [];

  constructor(options: SourceOptions, coverage: Coverage) {
    this.#options = options;
    this.#coverage = coverage;
  }

  /** Refuses a row of a day that the record does not cover, which harms nothing, or a bad one. */
  checked(one: UncheckedRow): UncheckedRow {
    const values = 'row' in one ? one.row : (one.readable ?? {});
    const covers = coveredType(values.type);
    if (covers) this.#addType(covers, values);
    const { fromDay, toDay } = this.#coverage;
    const { exDate, symbol } = values;
    const isOutside = typeof exDate === 'number' && (exDate < fromDay || exDate > toDay);
    const reason = 'row' in one ? rowFault(corporateActions, one.row) : one.reason;
    if (reason === undefined && !isOutside) return one;
    const { name, line, text } = one;
    const place = { ...(name && { name }), ...(line && { line }), ...(text && { text }) };
    if (reason === undefined) {
      const days = `${dateFromDay(fromDay)} to ${dateFromDay(toDay)}`;
      const outside = `exDate is not in ${days}, for which the file is taken: see --from and --to`;
      return { ...place, reason: outside };
    }
    if (!isOutside) {
      if (typeof symbol === 'string') this.#add(symbol, covers ? [covers] : BOTH, reason);
      else
        this.#nameless.push({ name: name ?? '', reason, ...(line && { line }), isRefused: true });
    }
    return { ...place, reason };
  }

  #addType(covers: ActionType, { type, symbol }: DatasetRow): void {
    if (!String(type).startsWith('cancelled')) this.#types.add(covers);
    else if (typeof symbol === 'string') {
      const types = this.#withdrawn.get(symbol) ?? new Set<ActionType>();
      this.#withdrawn.set(symbol, types.add(covers));
    }
  }

  #add(symbol: string, types: readonly ActionType[], reason: string): void {
    if (!isAsked(symbol, this.#options)) return;
    const known = this.#reasons.get(symbol) ?? new Map<ActionType, string>();
    for (const type of types) if (!known.has(type)) known.set(type, reason);
    this.#reasons.set(symbol, known);
  }

  addContradictions(rows: readonly ActionRow[]): void {
    for (const [symbol, own] of Map.groupBy(rows, (row) => row.symbol)) {
      const reason = contradiction(own);
      if (reason !== undefined) this.#add(symbol, ['split'], reason);
    }
  }

  list(): { symbol: string; covers: ActionType }[] {
    return [...this.#reasons].flatMap(([symbol, types]) =>
      [...types.keys()].map((covers) => ({ symbol, covers })),
    );
  }

  /** Returns the types that the files state in full, for each symbol that they know. */
  typesOf(rows: readonly ActionRow[]): Map<string, Set<ActionType>> {
    const { complete, completeFor = [] } = this.#options;
    const isOpen = this.#types.size + this.#withdrawn.size === 0;
    const stated = complete || isOpen ? BOTH : [...this.#types];
    const symbols = new Set([
      ...rows.map(({ symbol }) => symbol),
      ...this.#reasons.keys(),
      ...completeFor.filter((symbol) => isAsked(symbol, this.#options)),
    ]);
    return new Map(
      [...symbols].map((symbol) => {
        const missing = this.#reasons.get(symbol);
        const types = [...stated, ...(this.#withdrawn.get(symbol) ?? [])];
        return [symbol, new Set(types.filter((type) => !missing?.has(type)))];
      }),
    );
  }

  /** Names the symbols that are not complete, for the report; each makes the run fail. */
  skipped(): SkippedInput[] {
    const symbols = [...this.#reasons].map(([symbol, types]) => {
      const lists = [...types.keys()].map((type) => `${type}s`).join(' and ');
      const [reason] = types.values();
      return {
        name: symbol,
        reason: `its ${lists} are not complete, so they are not used: a row is refused, ${reason}`,
        isRefused: true,
      };
    });
    return [...symbols, ...this.#nameless];
  }

  /** Says which type the files leave open. */
  notes(): string[] {
    const { complete } = this.#options;
    if (complete || this.#types.size !== 1) return [];
    const [type] = this.#types;
    const other = type === 'split' ? 'dividends' : 'splits';
    const basis = type === 'split' ? 'adjustment all' : 'adjustments split and all';
    return [
      `the files have ${type}s only, so ${other} stay unknown and ${basis} may lack: ` +
        `if there are none, load them with --complete`,
    ];
  }
}

/** Names symbols of which no bar is served: a declared one may be misspelled. */
function unknownNotes(
  rows: readonly ActionRow[],
  { completeFor = [] }: SourceOptions,
  context: Pick<FetchContext, 'servedDays'>,
): string[] {
  const start = 'no daily bars are served of';
  const unknown = unservedOf(completeFor, context);
  const stored = unservedOf(
    rows.map(({ symbol }) => symbol),
    context,
  );
  return [
    ...(unknown === '' ? [] : [`${start} ${unknown}: check --complete-for for misspellings`]),
    ...(stored === ''
      ? []
      : [
          `${start} ${stored}: their splits and dividends are kept, and served and exported once bars are loaded`,
        ]),
  ];
}

/** Id by content: the same actions of the same time are one segment, whatever their file. */
function actionsId(actions: readonly SymbolActions[], asOfUs: bigint): string {
  return createHash('sha256')
    .update(`corporate-actions files ${asOfUs}\n${JSON.stringify(actions)}`)
    .digest('hex');
}
