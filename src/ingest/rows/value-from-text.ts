import type { DatasetColumn, DatasetValue } from '../../base/datasets/dataset.ts';
import { ParameterError, TapeworksError } from '../../base/errors.ts';
import { canonicalSymbol, symbolOrFault } from '../../base/symbols.ts';
import { dayFromDate } from '../../base/time/dates.ts';

/** Error for a text that does not fit its column; the message is the reason to refuse the row. */
export class UnreadableError extends TapeworksError {}

/**
 * @returns null for an empty text.
 * @throws {UnreadableError} the text does not fit the column's kind.
 */
export function valueFromText(column: DatasetColumn, text: string): DatasetValue {
  const { name, kind, choices = [] } = column;
  if (kind === 'symbols') return symbolsFromText(name, text);
  if (text === '') return null;
  switch (kind) {
    case 'symbol':
      return symbolFromText(text, name);
    case 'date':
      return readOr(
        () => dayFromDate(text),
        /^\d{4}-\d\d-\d\d$/.test(text)
          ? `${name} is not a day of the calendar`
          : `${name} is not a date like 2026-01-31`,
      );
    case 'moment':
      return momentFromText(name, text);
    case 'choice':
    case 'flag': {
      const word = text.toLowerCase();
      return choices.find((one) => one.toLowerCase() === word) ?? text;
    }
    case 'text':
      return text;
    default:
      return numberFromText(name, text);
  }
}

function readOr<T>(read: () => T, reason: string): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ParameterError) throw new UnreadableError(reason, { cause: error });
    throw error;
  }
}

/** Separators between symbols. Brackets are among them, because DuckDB writes a list with them. */
const BETWEEN_SYMBOLS = /[\s,;[\]]+/;

function symbolsFromText(name: string, text: string): string[] {
  const tickers = text.split(BETWEEN_SYMBOLS).filter((ticker) => ticker !== '');
  return [
    ...new Set(tickers.map((ticker) => symbolFromText(ticker, `${name} has something that`))),
  ];
}

/** @param subject Begins the reason to refuse the row. */
function symbolFromText(text: string, subject: string): string {
  const found = symbolOrFault(() => canonicalSymbol(text));
  if ('symbol' in found) return found.symbol;
  throw new UnreadableError(`${subject} ${found.fault}`);
}

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:\.(\d{1,9}))?(?:(Z)|([+-]\d{2}):?(\d{2})?)$/i;

/** Milliseconds. Finer digits are cut off. */
function momentFromText(name: string, text: string): number {
  const reason = `${name} is not a date-time with its offset, like 2026-01-31T14:30:00Z`;
  const parts = MOMENT.exec(text);
  if (!parts) throw new UnreadableError(reason);
  const [, date, minutes, seconds = ':00', fraction = '', isUtc, hour, minute = '00'] = parts;
  // Date.parse reads 30 February as a day in March.
  readOr(() => dayFromDate(date), reason);
  const zone = isUtc ? 'Z' : `${hour}:${minute}`;
  const ms = Date.parse(
    `${date}T${minutes}${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`,
  );
  if (Number.isNaN(ms)) throw new UnreadableError(reason);
  return ms;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

function numberFromText(name: string, text: string): number {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw new UnreadableError(`${name} is not a number`);
  return value;
}
