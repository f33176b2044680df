/** Securities of a version at a moment, with fields that are read at their first use. */

import type { Basis, Split } from '../../base/bars.ts';
import { FIGURE_NAMES } from '../../base/companies/figures.ts';
import { isOwnField, type ScreenFieldName, screenField } from '../../base/fields.ts';
import { isPriced } from '../../compute/companies/company-facts.ts';
import { listedRows } from '../../store/arrow/snapshot/directory-table.ts';
import { textOfRow, valuesOfTable } from '../../store/arrow/snapshot/screener-table.ts';
import type { Listings, ScreenerTable, Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { type FieldReader, type FieldRows, type Fields, LIST_FIELDS } from './field-readers.ts';
import { FIGURE_FIELDS, figureField, type RowFigures } from './figure-fields.ts';
import { inSteps } from './in-steps.ts';
import { ownField } from './own-fields.ts';
import { ratioReasons } from './priced-ratios.ts';
import type { FieldValues, ScreenUniverse } from './screen-universe.ts';

/** Fields as read from the lists of a version. */
interface ReadFields {
  key: string;
  fields: Fields;
}

/** By series and reader, the fields read last: most publishes bring other quotes alone. */
const readBefore = new WeakMap<readonly string[], Map<FieldReader, ReadFields>>();

const NO_SPLITS: readonly Split[] = [];

const TEXTS_OF_TABLE = ['sector', 'industry', 'country', 'exchange'] as const;

export interface UniverseParts {
  snapshot: Snapshot;
  table: ScreenerTable;
  series: readonly string[];
  past?: PastMoment;
}

export interface PastMoment {
  asOfDay: number;
  /** Filings up to this moment are known. */
  knownByMs: number;
  /** By row, the basis of its price. */
  bases: readonly Basis[];
  /** By row, the number of daily bars that count. */
  rowCounts: Int32Array;
}

export class Universe implements ScreenUniverse {
  readonly table: ScreenerTable;
  readonly series: readonly string[];
  readonly #past: PastMoment | undefined;
  readonly #snapshot: Snapshot;
  /** Newest session of any row, from which days are counted. */
  readonly #day: number;
  readonly #fields: Fields = {};
  #figures: RowFigures | undefined;

  constructor({ snapshot, table, series, past }: UniverseParts) {
    this.#snapshot = snapshot;
    this.table = table;
    this.series = series;
    this.#past = past;
    this.#day = table.marketDay ?? 0;
  }

  get asOfDay(): number | undefined {
    return this.#past?.asOfDay;
  }

  get bases(): readonly Basis[] | undefined {
    return this.#past?.bases;
  }

  field(name: ScreenFieldName): FieldValues {
    for (const _ of this.prepare([name]));
    return this.#fields[name]!;
  }

  *prepare(names: readonly ScreenFieldName[]): Generator<void, void> {
    for (const name of names) {
      this.#fields[name] ??= this.#isUnknown(name) ? this.#nulls(name) : yield* this.#read(name);
    }
  }

  *readRsi(rows: Iterable<number> = this.series.keys()): Generator<void, void> {
    if (!this.#past) return;
    const { rowCounts } = this.#past;
    const { rsi14 } = this.table.columns;
    yield* inSteps(rows, (row) => {
      const end = rowCounts[row];
      const range = { start: end - 1, end };
      [[rsi14[row]]] = this.#snapshot.indicators(this.series[row], '1d', ['rsi'], range);
    });
  }

  reasons(row: number, names: Iterable<string>): Record<string, string> {
    const { knownByMs = Number.POSITIVE_INFINITY, asOfDay: day } = this.#past ?? {};
    return ratioReasons(this.#snapshot, this.series[row], names, { knownByMs, day });
  }

  #isUnknown(name: ScreenFieldName): boolean {
    return this.#past !== undefined && screenField(name).past === 'null';
  }

  #nulls(name: ScreenFieldName): FieldValues {
    const count = this.series.length;
    if (screenField(name).kind === 'number') {
      return { kind: 'number', values: new Float64Array(count).fill(Number.NaN) };
    }
    return { kind: 'text', values: new Array<null>(count).fill(null) };
  }

  *#read(name: ScreenFieldName): Generator<void, FieldValues> {
    if (isOwnField(name)) return yield* ownField(this.#rows(), name);
    if (name === 'listed_days') return { kind: 'number', values: this.#listedDays() };
    const reader = (LIST_FIELDS as Partial<Record<ScreenFieldName, FieldReader>>)[name];
    if (reader) return (yield* this.#readLists(reader))[name]!;
    if (screenField(name).filter) {
      return { kind: 'number', values: valuesOfTable(this.table).number(name) };
    }
    if (name === 'target_upside') return this.#targetUpside(yield* this.#numbers('target_price'));
    if (name in FIGURE_FIELDS) {
      const figures = yield* this.#readFigures();
      const values = yield* figureField(name as keyof typeof FIGURE_FIELDS, figures);
      return { kind: 'number', values };
    }
    return { kind: 'text', values: this.#texts(name) };
  }

  *#numbers(name: ScreenFieldName): Generator<void, Float64Array> {
    yield* this.prepare([name]);
    return this.#fields[name]!.values as Float64Array;
  }

  #rows(): FieldRows {
    return { snapshot: this.#snapshot, series: this.series, day: this.asOfDay ?? this.#day };
  }

  #listedDays(): Float64Array {
    const counts = this.#past?.rowCounts;
    if (counts) return Float64Array.from(counts);
    return Float64Array.from(this.series, (symbol) => this.#snapshot.rowCount(symbol, '1d'));
  }

  *#readLists(reader: FieldReader): Generator<void, Fields> {
    const { series } = this;
    const known = readBefore.get(series) ?? new Map<FieldReader, ReadFields>();
    readBefore.set(series, known);
    const key = `${this.#snapshot.listsId} ${this.#day}`;
    const before = known.get(reader);
    if (before?.key === key) return before.fields;
    const fields = yield* reader(this.#rows());
    known.set(reader, { key, fields });
    return fields;
  }

  /** Reads all figures at once, as they lie together. */
  *#readFigures(): Generator<void, RowFigures> {
    if (this.#figures) return this.#figures;
    const { series } = this;
    const { figures: reader, listings } = this.#snapshot;
    const types = typesOf(series, listings);
    const shares = series.map((symbol, row) => (isPriced(types[row], 1) ? symbol : ''));
    const knownByMs = this.#past?.knownByMs ?? Number.POSITIVE_INFINITY;
    const read = yield* reader.knownBy(shares, knownByMs, FIGURE_NAMES);
    blankUnpriced(read, types);
    const splits: (readonly Split[])[] = [];
    yield* inSteps(series.entries(), ([row, symbol]) => {
      splits.push(Number.isNaN(read.knownMs[row]) ? NO_SPLITS : this.#splitsOf(symbol));
    });
    const newestDays = new Int32Array(series.length).fill(this.#day);
    this.#figures = { ...read, splits, columns: this.table.columns, newestDays };
    return this.#figures;
  }

  #splitsOf(symbol: string): readonly Split[] {
    const snapshot = this.#snapshot;
    const info =
      snapshot.symbol(symbol) ?? snapshot.intraday(symbol, '1m') ?? snapshot.intraday(symbol, '5m');
    return info?.splits ?? NO_SPLITS;
  }

  #targetUpside(targets: Float64Array): FieldValues {
    const { price } = this.table.columns;
    const upside = (target: number, row: number) =>
      price[row] > 0 ? target / price[row] - 1 : Number.NaN;
    return { kind: 'number', values: targets.map(upside) };
  }

  #texts(name: ScreenFieldName): readonly (string | null)[] {
    const { table } = this;
    if (name === 'symbol') return table.symbols;
    if (name === 'company_name') return table.companyNames;
    if (name === 'type') return typesOf(this.series, this.#snapshot.listings);
    const column = TEXTS_OF_TABLE.find((one) => one === name)!;
    return this.series.map((_, row) => textOfRow(table, column, row));
  }
}

function typesOf(series: readonly string[], listings: Listings): (string | null)[] {
  const rows = listedRows(listings);
  return series.map((name) => listings.type[rows.get(name) ?? -1] || null);
}

const universes = new WeakMap<Snapshot, Universe>();

/** Returns the newest state of all securities: the rows of the screener. */
export function universeOf(snapshot: Snapshot): ScreenUniverse {
  let universe = universes.get(snapshot);
  if (!universe) {
    const table = snapshot.screener();
    universe = new Universe({ snapshot, table, series: table.symbols });
    universes.set(snapshot, universe);
  }
  return universe;
}

/** Removes the figures of receipts whose number of shares is unknown. */
function blankUnpriced(
  { knownMs, figures }: Pick<RowFigures, 'knownMs' | 'figures'>,
  types: readonly (string | null)[],
): void {
  for (const [row, type] of types.entries()) {
    if (isPriced(type, figures.adsRatio[row])) continue;
    knownMs[row] = Number.NaN;
    for (const name of FIGURE_NAMES) figures[name][row] = Number.NaN;
  }
}
