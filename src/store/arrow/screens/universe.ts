/** Securities of a version at a moment, with fields that are read at their first use. */

import type { Basis } from '../../../base/bars.ts';
import { type ScreenFieldName, screenField } from '../../../base/screen-fields.ts';
import { textOfRow } from '../snapshot/screener-table.ts';
import type { Listings, ScreenerTable, Snapshot } from '../snapshot/snapshot.ts';
import { type FieldReader, LIST_FIELDS } from './field-readers.ts';
import type { FieldValues, ScreenUniverse } from './screen-universe.ts';

type Fields = Partial<Record<ScreenFieldName, FieldValues>>;

/** Fields as read from the lists of a version. */
interface ReadFields {
  key: string;
  fields: Fields;
}

/** By series and reader, the fields read last: most publishes bring other quotes alone. */
const readBefore = new WeakMap<readonly string[], Map<FieldReader, ReadFields>>();

const NUMBERS_OF_TABLE = {
  price: 'price',
  change_pct: 'changePct',
  market_cap: 'marketCap',
  pe_ratio: 'peRatio',
  dividend_yield: 'dividendYield',
} as const satisfies Partial<Record<ScreenFieldName, keyof ScreenerTable['columns']>>;

const TEXTS_OF_TABLE = ['sector', 'industry', 'country', 'exchange'] as const;

export interface UniverseParts {
  snapshot: Snapshot;
  table: ScreenerTable;
  series: readonly string[];
  asOfDay?: number;
  bases?: readonly Basis[];
}

export class Universe implements ScreenUniverse {
  readonly table: ScreenerTable;
  readonly series: readonly string[];
  readonly asOfDay: number | undefined;
  readonly bases: readonly Basis[] | undefined;
  readonly #snapshot: Snapshot;
  /** Newest session of any row, from which days are counted. */
  readonly #day: number;
  readonly #fields: Fields = {};

  constructor({ snapshot, table, series, asOfDay, bases }: UniverseParts) {
    this.#snapshot = snapshot;
    this.table = table;
    this.series = series;
    this.asOfDay = asOfDay;
    this.bases = bases;
    this.#day = table.columns.lastBarDay.reduce((newest, day) => Math.max(newest, day), 0);
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

  *readRsi(): Generator<void, void> {}

  #isUnknown(name: ScreenFieldName): boolean {
    return this.asOfDay !== undefined && screenField(name).past === 'null';
  }

  #nulls(name: ScreenFieldName): FieldValues {
    const count = this.series.length;
    if (screenField(name).kind === 'number') {
      return { kind: 'number', values: new Float64Array(count).fill(Number.NaN) };
    }
    return { kind: 'text', values: new Array<null>(count).fill(null) };
  }

  *#read(name: ScreenFieldName): Generator<void, FieldValues> {
    const reader = (LIST_FIELDS as Partial<Record<ScreenFieldName, FieldReader>>)[name];
    if (reader) return (yield* this.#readLists(reader))[name]!;
    if (name in NUMBERS_OF_TABLE) {
      const column = NUMBERS_OF_TABLE[name as keyof typeof NUMBERS_OF_TABLE];
      return { kind: 'number', values: this.table.columns[column] };
    }
    if (name === 'target_upside') return this.#targetUpside(yield* this.#numbers('target_price'));
    if (screenField(name).kind === 'number') return this.#nulls(name);
    return { kind: 'text', values: this.#texts(name) };
  }

  *#numbers(name: ScreenFieldName): Generator<void, Float64Array> {
    yield* this.prepare([name]);
    return this.#fields[name]!.values as Float64Array;
  }

  *#readLists(reader: FieldReader): Generator<void, Fields> {
    const { series } = this;
    const known = readBefore.get(series) ?? new Map<FieldReader, ReadFields>();
    readBefore.set(series, known);
    const key = `${this.#snapshot.listsId} ${this.#day}`;
    const before = known.get(reader);
    if (before?.key === key) return before.fields;
    const fields = yield* reader({ snapshot: this.#snapshot, series, day: this.#day });
    known.set(reader, { key, fields });
    return fields;
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

function typesOf(series: readonly string[], { symbol, type }: Listings): (string | null)[] {
  const rows = new Map(symbol.map((name, row) => [name, row]));
  return series.map((name) => type[rows.get(name) ?? -1] || null);
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
