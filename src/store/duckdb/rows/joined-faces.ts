/**
 * Joins what filings' statements show with what company facts give for the same periods. Both have
 * rows of their own, so that either may be loaded first. Pure.
 */

import type { Dataset, DatasetRow } from '../../../base/datasets/dataset.ts';
import { evidenceOf, type FigureEvidence, isShownFirst } from '../../../base/datasets/evidence.ts';
import { figuresOf } from '../../../base/datasets/statement.ts';

/** Largest distance in days between the last days of one period in two readings. */
const DAYS_APART_MAX = 16;

/** Columns that name a row and its filing. All others are figures. */
const HEAD = new Set([
  ...['symbol', 'date', 'period', 'filedAt', 'fiscalYear', 'fiscalQuarter'],
  ...['currency', 'form', 'accession', 'readFrom', 'evidence'],
]);

/**
 * Joins the rows of a symbol. A figure of the statement counts, and so does its reason for being
 * unknown; company facts give figures that no statement shows. A figure that a later filing does
 * not change stays as it was.
 *
 * @param rows Ascending by `filedAt`.
 * @returns rows without `readFrom`, ascending; the same ones if no statement is among them.
 */
export function joinedFaces(dataset: Dataset, rows: readonly DatasetRow[]): readonly DatasetRow[] {
  if (!rows.some(({ readFrom }) => readFrom === 'face')) return rows;
  const joined = [...periodsOf(rows)].flatMap((period) => joinedPeriod(dataset, period));
  return joined.sort(byMoment);
}

/** Groups rows by their period, on the days of company facts where there are any. */
function* periodsOf(rows: readonly DatasetRow[]): Generator<DatasetRow[]> {
  for (const ofLength of Map.groupBy(rows, ({ period }) => period).values()) {
    const days = [...new Set(ofLength.map(dayOf))].sort((a, b) => a - b);
    const byDay = Map.groupBy(ofLength, dayOf);
    let group: DatasetRow[] = [];
    let last = Number.NEGATIVE_INFINITY;
    for (const day of days) {
      if (day - last > DAYS_APART_MAX && group.length > 0) {
        yield group;
        group = [];
      }
      group.push(...byDay.get(day)!);
      last = day;
    }
    yield group;
  }
}

const byMoment = (a: DatasetRow, b: DatasetRow) => Number(a.filedAt) - Number(b.filedAt);
const dayOf = ({ date }: DatasetRow) => Number(date);

interface Version {
  facts: DatasetRow | undefined;
  face: DatasetRow | undefined;
}

function joinedPeriod(dataset: Dataset, unsorted: readonly DatasetRow[]): DatasetRow[] {
  const rows = unsorted.toSorted(byMoment);
  const fields = dataset.columns.map(({ name }) => name).filter((name) => !HEAD.has(name));
  const derived = figuresOf(dataset)
    .filter(({ shown }) => shown.isDerived)
    .map(({ name }) => name);
  const dated = rows.find(({ readFrom }) => readFrom !== 'face') ?? rows[0];
  const versions = Map.groupBy(rows, ({ accession, filedAt }) => accession ?? filedAt);
  const steps = [...versions.values()].map((version): Version => {
    return {
      facts: version.findLast(({ readFrom }) => readFrom !== 'face'),
      face: version.findLast(({ readFrom }) => readFrom === 'face'),
    };
  });
  const made: DatasetRow[] = [];
  let lastFacts: DatasetRow | undefined;
  for (const { facts, face } of steps) {
    const row = joinedVersion(made.at(-1), { facts, face }, lastFacts, fields);
    lastFacts = facts ?? lastFacts;
    row.date = dated.date;
    for (const name of derived) row[name] = null;
    dataset.complete?.(row);
    made.push(row);
  }
  return made;
}

function joinedVersion(
  before: DatasetRow | undefined,
  { facts, face }: Version,
  lastFacts: DatasetRow | undefined,
  fields: readonly string[],
): DatasetRow {
  const head = facts ?? face!;
  const carried = before?.currency === head.currency ? before : undefined;
  const evidence: Record<string, FigureEvidence> = {};
  const row: DatasetRow = { ...head, readFrom: null, filedAt: knownAt(facts, face) };
  const shown = face ? evidenceOf(face) : {};
  const told = facts ? evidenceOf(facts) : {};
  const kept = carried ? evidenceOf(carried) : {};
  for (const field of fields) {
    const isNew = facts !== undefined && facts[field] !== lastFacts?.[field];
    const order = isNew ? [facts, carried, face] : [carried, facts, face];
    const isShown =
      shown[field] !== undefined &&
      isShownFirst(shown[field], amountOf(face, field), amountOf(facts, field));
    const from = isShown ? face : order.find((one) => (one?.[field] ?? null) !== null);
    row[field] = from?.[field] ?? null;
    const known = from === facts ? told : kept;
    const found =
      from === face ? shown[field] : from ? known[field] : (shown[field] ?? told[field]);
    if (found) evidence[field] = found;
  }
  row.evidence = Object.keys(evidence).length > 0 ? JSON.stringify(evidence) : null;
  return row;
}

/** Amount of a figure; null where a row has none. */
function amountOf(row: DatasetRow | undefined, field: string): number | null {
  const value = row?.[field] ?? null;
  return value === null ? null : Number(value);
}

/** Returns the earlier moment: without the true one, facts are known at the end of a day. */
function knownAt(...rows: (DatasetRow | undefined)[]): number {
  return Math.min(...rows.flatMap((row) => (row ? [Number(row.filedAt)] : [])));
}
