/** DuckDB values as JSON-able ones, by the API's rules. */

import {
  DuckDBArrayValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { dateFromDay } from '../../../base/time/dates.ts';

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [name: string]: JsonValue };

/**
 * Returns the JSON form of a value.
 *
 * Integers beyond 2^53 and decimals that a float64 can't hold become text; NaN and the infinities
 * null; dates `YYYY-MM-DD`; moments `YYYY-MM-DDTHH:mm:ss.sssZ`, with six decimals where
 * microseconds are not whole milliseconds. Other types give DuckDB's own text.
 */
export function jsonFromValue(value: DuckDBValue): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return jsonFromInteger(value);
  if (value instanceof DuckDBDateValue) {
    return value.isFinite ? dateText(value) : null;
  }
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return value.isFinite ? momentText(value) : null;
  }
  if (value instanceof DuckDBDecimalValue) return jsonFromDecimal(value);
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    return value.items.map(jsonFromValue);
  }
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(
      Object.entries(value.entries).map(([name, item]) => [name, jsonFromValue(item)]),
    );
  }
  if (value instanceof DuckDBMapValue) {
    return value.entries.map(({ key, value: item }) => ({
      key: jsonFromValue(key),
      value: jsonFromValue(item),
    }));
  }
  return String(value);
}

function jsonFromInteger(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** Returns a number if its shortest text is the decimal's own, trailing zeros aside. */
function jsonFromDecimal(value: DuckDBDecimalValue): number | string {
  const text = String(value);
  const shortest = value.scale > 0 ? text.replace(/\.?0+$/, '') : text;
  return String(Number(text)) === shortest ? Number(text) : text;
}

function dateText(value: DuckDBDateValue): string {
  const inRange = Math.abs(value.days) <= 100_000_000;
  return inRange ? dateFromDay(value.days) : String(value);
}

function momentText(value: DuckDBTimestampValue | DuckDBTimestampTZValue): string {
  const ms = Number(value.micros / 1000n);
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return String(value);
  const subMilli = value.micros % 1000n;
  if (subMilli === 0n) return date.toISOString();
  // Floor, not truncation, so that moments before 1970 keep their digits.
  const floored = value.micros < 0n ? new Date(ms - 1) : date;
  const digits = String((subMilli + 1000n) % 1000n).padStart(3, '0');
  return floored.toISOString().replace('Z', `${digits}Z`);
}
