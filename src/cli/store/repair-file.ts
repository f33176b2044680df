/** File of findings and their repairs: `gaps --flags --fix` writes it, `repair --file` reads it. */

import type { RepairRequest } from '../../../jobs/rebuild/repair.ts';
import { BAR_FIELDS, type BarValues } from '../../base/bars.ts';
import { UsageError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { dayFromDate, microsFromDay } from '../../base/time/dates.ts';
import { existsSync, readFileSync } from '../../base/world/files.ts';

const COLUMNS = [
  'symbol',
  'date',
  'flag',
  'basis',
  ...BAR_FIELDS,
  ...BAR_FIELDS.map((field) => `new_${field}`),
  'remove',
];

/** Value of the column `remove` for a bar that is to go. */
const REMOVE = 'yes';

/** A finding, with the stored values of its bar and those that a rule proposes. */
export interface Finding {
  symbol: string;
  date: string;
  /** All flags of the bar. */
  flag: string;
  /** Basis of the values. */
  basis: string;
  stored: BarValues;
  proposed: Partial<BarValues>;
  /** True if the bar is proposed to go. */
  isRemoved: boolean;
}

export function repairFileText(findings: readonly Finding[]): string {
  const lines = findings.map(({ symbol, date, flag, basis, stored, proposed, isRemoved }) =>
    [
      ...[symbol, date, flag, basis],
      ...BAR_FIELDS.map((field) => stored[field]),
      ...BAR_FIELDS.map((field) => proposed[field] ?? ''),
      isRemoved ? REMOVE : '',
    ].join(','),
  );
  return `${[COLUMNS.join(','), ...lines].join('\n')}\n`;
}

/**
 * Reads the rows with new values, and counts the others.
 *
 * @throws {UsageError} a column is missing, or a value is no number.
 */
export function readRepairs(path: string): { requests: RepairRequest[]; leftOut: number } {
  if (!existsSync(path)) throw new UsageError(`there is no file "${path}"`);
  const [head = '', ...lines] = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  // Spreadsheets of some countries write semicolons, or quote texts.
  const separator = head.includes(';') ? ';' : ',';
  const cells = (line: string) =>
    line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const names = cells(head);
  const missing = ['symbol', 'date'].find((name) => !names.includes(name));
  if (missing) throw new UsageError(`"${path}" has no column "${missing}"`);
  if (!names.some((name) => name.startsWith('new_'))) {
    throw new UsageError(`"${path}" has no column "new_open", "new_high", "new_low", …`);
  }
  const unknown = names.find((name) => name.startsWith('new_') && !COLUMNS.includes(name));
  if (unknown) throw new UsageError(`"${path}" has a column "${unknown}", of no price`);
  const isoDate = dateReader(lines.map((line) => cells(line)[names.indexOf('date')] ?? ''));
  const requests: RepairRequest[] = [];
  let leftOut = 0;
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const row = cells(line);
    const at = `line ${i + 2} of "${path}"`;
    if (row.length !== names.length) {
      throw new UsageError(`${at} has ${row.length} values, and the header ${names.length}`);
    }
    const textOf = (name: string) => row[names.indexOf(name)] ?? '';
    const values = valuesOf('new_', textOf, at);
    const isRemoved = isYes(textOf('remove'), at);
    const hasValues = Object.keys(values).length > 0;
    if (isRemoved && hasValues) {
      throw new UsageError(`${at} has new values, and removes the bar: leave one of the two`);
    }
    if (!isRemoved && !hasValues) leftOut++;
    else {
      const day = dayFromDate(isoDate(textOf('date'), at), `date in ${at}`);
      requests.push({
        symbol: canonicalSymbol(textOf('symbol'), 'any', `symbol in ${at}`),
        timestampUs: microsFromDay(day),
        values,
        ...(isRemoved && { isRemoved }),
        stated: valuesOf('', textOf, at),
        ...(textOf('flag') !== '' && { reason: textOf('flag') }),
      });
    }
  }
  return { requests, leftOut };
}

const SPREADSHEET_DATE = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/;

/** Returns a function that writes a date of the file as 2026-01-31. Spreadsheets write it by country. */
function dateReader(texts: readonly string[]): (text: string, at: string) => string {
  const found = texts.map((text) => SPREADSHEET_DATE.exec(text));
  const [isDayFirst, isMonthFirst] = [1, 2].map((place) =>
    found.some((parts) => Number(parts?.[place]) > 12),
  );
  return (text, at) => {
    const parts = SPREADSHEET_DATE.exec(text);
    if (!parts) return text;
    if (isDayFirst === isMonthFirst) {
      throw new UsageError(
        `${at}: date must be like 2026-01-31, got "${text}", and no date of the file shows whether its day or its month is first`,
      );
    }
    const [, first, second, year] = parts;
    const [month, day] = isDayFirst ? [second, first] : [first, second];
    return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  };
}

function isYes(text: string, at: string): boolean {
  if (text !== '' && text.toLowerCase() !== REMOVE) {
    throw new UsageError(`${at}: remove must be ${REMOVE} or empty, got "${text}"`);
  }
  return text !== '';
}

function valuesOf(
  prefix: string,
  textOf: (name: string) => string,
  at: string,
): Partial<BarValues> {
  const values: Partial<BarValues> = {};
  for (const field of BAR_FIELDS) {
    const text = textOf(prefix + field);
    if (text === '') continue;
    const value = Number(text);
    if (!Number.isFinite(value)) {
      throw new UsageError(`${at}: ${prefix}${field} must be a number, got "${text}"`);
    }
    values[field] = value;
  }
  return values;
}
