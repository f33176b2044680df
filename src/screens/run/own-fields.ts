/** Fields of users' own facts: membership in universes, and own columns. */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import type { OwnFieldName } from '../../base/fields.ts';
import { ownColumns } from '../../store/arrow/lists/own-columns.ts';
import { columnKey } from '../../store/arrow/lists/specs.ts';
import { listedRows } from '../../store/arrow/snapshot/directory-table.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { universeNamed, universeNames } from '../../store/arrow/snapshot/universes.ts';
import type { OwnNames } from '../language/scope.ts';
import type { FieldRows } from './field-readers.ts';
import { inSteps } from './in-steps.ts';
import type { FieldValues } from './screen-universe.ts';

/** By version, its names: an expression may be compiled for each of many requests. */
const known = new WeakMap<Snapshot, OwnNames>();

/** Returns the names that expressions over a version may have. */
export function ownNames(snapshot: Snapshot): OwnNames {
  let names = known.get(snapshot);
  if (!names) {
    names = { universes: universeNames(snapshot), columns: ownColumns(snapshot) };
    known.set(snapshot, names);
  }
  return names;
}

/** Id that is greater than that of any row. */
const LAST_ID = '\uffff';

/** Reads a field of securities as of a day. */
export function* ownField(
  { snapshot, series, day }: FieldRows,
  field: OwnFieldName,
): Generator<void, FieldValues> {
  const values = new Float64Array(series.length).fill(Number.NaN);
  const [kind, name] = partsOf(field);
  if (kind === 'universe') {
    const universe = universeNamed(snapshot, name);
    const rows = listedRows(snapshot.listings);
    yield* inSteps(series.entries(), ([at, symbol]) => {
      const row = rows.get(symbol);
      values[at] = row !== undefined && universe?.has(row, day) ? 1 : 0;
    });
    return { kind: 'number', values };
  }
  const after = { timestampMs: day * MILLIS_PER_DAY + 1, id: LAST_ID };
  yield* inSteps(series.entries(), ([at, symbol]) => {
    const list = snapshot.list('values', columnKey(name, symbol));
    if (list.count === 0) return;
    const [newest] = list.page(after, 1);
    if (newest) values[at] = numberOf(newest.json);
  });
  return { kind: 'number', values };
}

/** Reads a field of a security at each of its days, which ascend. */
export function ownFieldOfDays(
  snapshot: Snapshot,
  symbol: string,
  field: OwnFieldName,
  days: Int32Array,
): Float64Array {
  const [kind, name] = partsOf(field);
  if (kind === 'universe') {
    const universe = universeNamed(snapshot, name);
    const row = listedRows(snapshot.listings).get(symbol);
    return Float64Array.from(days, (day) => (row !== undefined && universe?.has(row, day) ? 1 : 0));
  }
  const list = snapshot.list('values', columnKey(name, symbol));
  const rows = list.page(undefined, list.count).reverse();
  const values = new Float64Array(days.length).fill(Number.NaN);
  let next = 0;
  for (const [at, day] of days.entries()) {
    while (next < rows.length && rows[next].timestampMs <= day * MILLIS_PER_DAY) next++;
    if (next > 0) values[at] = numberOf(rows[next - 1].json);
  }
  return values;
}

function partsOf(field: OwnFieldName): [kind: string, name: string] {
  const at = field.indexOf(' ');
  return [field.slice(0, at), field.slice(at + 1)];
}

function numberOf(json: string): number {
  return json === 'null' ? Number.NaN : Number(json);
}
