/** Rows of a screen as a table for people. `--json` has all digits. */

import type { Table } from '../../api/responses/table.ts';
import { SCREEN_FIELD_NAMES, screenField } from '../../base/fields.ts';
import { plainText } from '../../base/prices/decimals.ts';
import { visible } from '../../base/quoted.ts';
import { process } from '../../base/world/process.ts';
import { tableLines } from '../output.ts';

/** A row as the API returns it. */
export interface ScreenedRow {
  symbol: string;
  companyName: string | null;
  price: number;
  changePct: number | null;
  marketCap: number | null;
  columns?: Readonly<Record<string, ScreenedValue>>;
  matches?: boolean | null;
  conditions?: readonly ExplainedCondition[];
  reasons?: Readonly<Record<string, string>>;
}

export type ScreenedValue = number | boolean | string | null;

export interface ExplainedCondition {
  condition: string;
  result: boolean | null;
  values: Readonly<Record<string, ScreenedValue>>;
}

const UNKNOWN = '-';
const HEADING = ['SYMBOL', 'NAME', 'PRICE', 'CHANGE', 'MARKET CAP'];
const NAME = HEADING.indexOf('NAME');

/** @param columns Texts of further columns, as requested. */
export function screenLines(rows: readonly ScreenedRow[], columns: readonly string[]): string[] {
  const cells = rows.map((row) => [
    row.symbol,
    row.companyName ?? '',
    numberText(row.price),
    row.changePct === null
      ? UNKNOWN
      : `${row.changePct >= 0 ? '+' : ''}${row.changePct.toFixed(2)}%`,
    row.marketCap === null ? UNKNOWN : magnitudeText(row.marketCap),
    ...columns.map((text) => valueText(row.columns?.[text] ?? null, text)),
  ]);
  const numeric = HEADING.keys()
    .drop(NAME + 1)
    .toArray();
  const further = columns.flatMap((text, place) => {
    const isText = rows.some((row) => typeof row.columns?.[text] === 'string');
    return isText ? [] : [HEADING.length + place];
  });
  return tableLines([[...HEADING, ...columns], ...cells], [NAME], [...numeric, ...further]);
}

/** Rows over days: symbol, date and further columns, by name. */
export function dayLines(
  rows: readonly Readonly<Record<string, ScreenedValue>>[],
  names: readonly string[],
): string[] {
  const cells = rows.map((row) => names.map((name) => valueText(row[name], name)));
  const isNumber = (place: number) => rows.some((row) => typeof row[names[place]] === 'number');
  return tableLines([names, ...cells], [], names.keys().filter(isNumber).toArray());
}

/** Explains per symbol which conditions are true. */
export function explanationLines(rows: readonly ScreenedRow[]): string[] {
  return rows.flatMap(({ symbol, matches = null, conditions = [], reasons = {} }) => {
    const cells = conditions.map(({ condition, result, values }) => [
      result === null ? 'null' : String(result),
      condition,
      Object.entries(values)
        .map(([text, value]) => `${text} = ${valueText(value, text)}`)
        .join(', '),
    ]);
    const title = matches ? 'matches' : matches === null ? 'is null: no match' : 'does not match';
    const nulls = [...Map.groupBy(Object.entries(reasons), ([, reason]) => reason)].map(
      ([reason, of]) => `  null: ${of.map(([name]) => name).join(', ')}: ${reason}`,
    );
    return [`${symbol} ${title}`, ...tableLines(cells).map((line) => `  ${line}`), ...nulls];
  });
}

/** @param text Expression or field that has the value. */
function valueText(value: ScreenedValue, text: string): string {
  if (value === null) return UNKNOWN;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  const isWhole = Number.isInteger(value) && Math.abs(value) < 1e6 && isCounted(text);
  return isWhole ? String(value) : numberText(value);
}

function isCounted(text: string): boolean {
  const field = SCREEN_FIELD_NAMES.find((name) => name === text);
  return field !== undefined && ['count', 'shares'].includes(screenField(field).unit ?? '');
}

const DIGITS = 6;

/** Prices from 1 on have two decimals; others six digits. */
function numberText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return magnitudeText(value);
  return size >= 1 ? value.toFixed(2) : plainText(value, DIGITS);
}

const MAGNITUDE = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  useGrouping: false,
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Formats 4517284124 as `4.52B`. */
function magnitudeText(value: number): string {
  return Math.abs(value) >= 1000 ? MAGNITUDE.format(value) : numberText(value);
}

export async function printCsv(table: Table): Promise<void> {
  const { csvFromTable } = await import('../../api/responses/table-response.ts');
  const bytes = csvFromTable(table);
  // A pipe gets the exact bytes; a terminal would obey some of them.
  const isShown = process.stdout.isTTY;
  process.stdout.write(isShown ? visible(bytes.toString().replaceAll('\r\n', '\n')) : bytes);
}

export function timeText(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
