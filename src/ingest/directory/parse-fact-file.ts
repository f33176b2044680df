/**
 * Parses files of dated facts about tickers: a table of our own with the columns `kind`, `ticker`,
 * `on`, `to`, `other` and `reason`, or a map file of LEAN, which has the tickers of one security.
 */

import { ParameterError, UsageError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { dateFromDay, dayFromDate } from '../../base/time/dates.ts';
import { csvFields } from '../inputs/csv-line.ts';

/** A fact as commands state it; days are days since the epoch. */
export interface FileFact {
  kind: 'rename' | 'delist' | 'part' | 'assign' | 'join' | 'spinoff';
  ticker: string;
  day: number | null;
  endDay: number | null;
  other: string | null;
  /** Reason of a delisting, in words. */
  reason?: string | null;
}

type Need = 'needed' | 'optional' | 'none';

const RULES: Record<FileFact['kind'], Record<'on' | 'other', Need>> = {
  rename: { on: 'needed', other: 'needed' },
  delist: { on: 'needed', other: 'optional' },
  part: { on: 'needed', other: 'none' },
  assign: { on: 'optional', other: 'needed' },
  join: { on: 'none', other: 'needed' },
  spinoff: { on: 'needed', other: 'needed' },
};

const COLUMNS = ['kind', 'ticker', 'on', 'to', 'other', 'reason'] as const;

type FactLine = Record<(typeof COLUMNS)[number], string>;

/** A line of LEAN: the last day of a ticker, and the ticker. */
const MAP_LINE = /^(\d{4})(\d{2})(\d{2}),([^,]+)/;

/** Year from which on an end of LEAN means none. */
const NO_END = '2050';

/**
 * @param name  Name of the file in errors.
 * @param today Day after which nothing can have happened: symbols are those of today.
 * @throws {UsageError} a line breaks a rule; the message has its number.
 */
export function parseFactFile(text: string, name: string, today: number): FileFact[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/);
  const isMap = lines.every((line) => MAP_LINE.test(line));
  return isMap ? factsOfMap(lines, name, today) : factsOfTable(lines, name, today);
}

/** Reads the tickers of a security: the first line has its first day, the others last days. */
function factsOfMap(lines: readonly string[], name: string, today: number): FileFact[] {
  const ends = lines.slice(1).map((line, i) => {
    const [, year, month, day, ticker] = MAP_LINE.exec(line)!;
    return checked(name, i + 1, () => ({
      ...{ year, day: dayFromDate(`${year}-${month}-${day}`), ticker: canonicalSymbol(ticker) },
    }));
  });
  const none = { endDay: null, other: null };
  return ends.flatMap(({ year, day, ticker }, i): FileFact[] => {
    const next = ends[i + 1];
    if (!next && year >= NO_END) return [];
    checked(name, i + 1, () => requirePast('the last day of a ticker', day, today));
    if (!next) return [{ kind: 'delist', ticker, day, ...none }];
    if (next.day <= day)
      throw malformed(name, i + 2, 'its day is not after that of the line before');
    if (next.ticker === ticker) return [];
    return [{ kind: 'rename', ticker, day: day + 1, endDay: null, other: next.ticker }];
  });
}

function factsOfTable(
  [header, ...lines]: readonly string[],
  name: string,
  today: number,
): FileFact[] {
  const titles = csvFields(header, ',').map((title) => title.toLowerCase());
  for (const column of ['kind', 'ticker'] as const) {
    if (titles.includes(column)) continue;
    throw new UsageError(`"${name}" has no column "${column}": ${COLUMNS.join(',')}`);
  }
  return lines.map((line, i) => {
    const fields = csvFields(line, ',');
    if (fields.slice(titles.length).some((field) => field !== '')) {
      const counts = `${fields.length} fields, and the header ${titles.length}`;
      throw malformed(name, i + 1, `it has ${counts}: put a text with a comma in double quotes`);
    }
    const texts = Object.fromEntries(
      COLUMNS.map((column) => [column, fields[titles.indexOf(column)] ?? '']),
    ) as FactLine;
    return checked(name, i + 1, () => factOfLine(texts, today));
  });
}

/** @throws {ParameterError} the line breaks a rule. */
function factOfLine({ kind, ticker, on, to, other, reason }: FactLine, today: number): FileFact {
  const rule = RULES[kind as FileFact['kind']];
  if (!rule) {
    const kinds = Object.keys(RULES).join(', ');
    throw new ParameterError('kind', `kind must be one of ${kinds}, got "${kind}"`);
  }
  requireField('on', on, rule.on);
  requireField('to', to, kind === 'assign' ? 'optional' : 'none');
  requireField('other', other, rule.other);
  requireField('reason', reason, kind === 'delist' ? 'optional' : 'none');
  const [day, endDay] = [
    ['on', on],
    ['to', to],
  ].map(([field, date]) => (date === '' ? null : dayFromDate(date, field)));
  if (day !== null && kind !== 'assign') requirePast('on', day, today);
  if (day !== null && endDay !== null && endDay < day) {
    throw new ParameterError('to', `to must not be before on, got ${on} and ${to}`);
  }
  const named = other === '' || other === 'new' ? null : canonicalSymbol(other);
  const own = canonicalSymbol(ticker);
  if (named === own && kind !== 'assign') {
    throw new ParameterError('other', `other must be another one than ticker, got "${other}"`);
  }
  const fact = { kind: kind as FileFact['kind'], ticker: own, day, endDay, other: named };
  return reason === '' ? fact : { ...fact, reason };
}

function requirePast(name: string, day: number, today: number): void {
  if (day <= today) return;
  const days = `${dateFromDay(today)}, got ${dateFromDay(day)}`;
  throw new ParameterError(name, `${name} must not be after today, ${days}: say so on that day`);
}

function requireField(name: string, text: string, need: Need): void {
  if (need === 'needed' && text === '') throw new ParameterError(name, `${name} is missing`);
  if (need === 'none' && text !== '') {
    throw new ParameterError(name, `${name} must be empty for this kind, got "${text}"`);
  }
}

/** Returns what `read` gives; a broken rule becomes one of the file's line. */
function checked<T>(name: string, place: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    throw malformed(name, place, error.message);
  }
}

/** @param place Line, from 0. */
function malformed(name: string, place: number, reason: string): UsageError {
  return new UsageError(`"${name}", line ${place + 1}: ${reason}`);
}
