/** Checks a row of a dataset, with the same rules for files and for rows that connectors parse. */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import type {
  Dataset,
  DatasetColumn,
  DatasetRow,
  DatasetValue,
} from '../../base/datasets/dataset.ts';
import { limits } from '../../base/limits.ts';
import { marked } from '../../base/quoted.ts';
import { canonicalSymbol, symbolOrFault } from '../../base/symbols.ts';
import { dayFromDate } from '../../base/time/dates.ts';

const FIRST_DAY = dayFromDate(limits.ingest.earliestDate);
const LAST_DAY = dayFromDate(limits.ingest.latestDate);

/** NUL and lone surrogates, which can't be stored as text. */
const BROKEN_TEXT = /\0|\p{Surrogate}/u;

/**
 * Completes a row and checks it. A missing column counts as null. Characters of texts that a
 * terminal obeys, or that turn the direction of a line, become escapes.
 * @returns the reason to refuse it, or undefined for a good row.
 */
export function rowFault(dataset: Dataset, row: DatasetRow): string | undefined {
  for (const { name, kind } of dataset.columns) row[name] ??= kind === 'symbols' ? [] : null;
  dataset.complete?.(row);
  for (const { name, kind } of dataset.columns) {
    const value = row[name];
    if (kind === 'text' && typeof value === 'string' && !BROKEN_TEXT.test(value)) {
      row[name] = marked(value);
    }
  }
  for (const column of dataset.columns) {
    const fault = valueFault(column, row[column.name]);
    if (fault !== undefined) return `${column.name} ${fault}`;
  }
  return dataset.conflict?.(row);
}

function valueFault(column: DatasetColumn, value: DatasetValue): string | undefined {
  if (value === null) return column.isRequired ? 'is missing' : undefined;
  switch (column.kind) {
    case 'symbol':
      return symbolFault(value);
    case 'symbols': {
      const faults = Array.isArray(value) ? value.map(symbolFault) : ['is not a ticker'];
      const fault = faults.find((one) => one !== undefined);
      if (fault !== undefined || !Array.isArray(value)) return `has something that ${fault}`;
      return new Set(value).size === value.length ? undefined : 'has a ticker twice';
    }
    case 'text':
      return textFault(value);
    case 'choice':
    case 'flag': {
      const { choices = [] } = column;
      return choices.includes(value as string) ? undefined : `is none of ${choices.join(', ')}`;
    }
    case 'date':
      return isWithin(value, FIRST_DAY, LAST_DAY) ? undefined : 'is not a day of these times';
    case 'moment': {
      const day = Math.floor(Number(value) / MILLIS_PER_DAY);
      return isWithin(value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) &&
        isWithin(day, FIRST_DAY, LAST_DAY)
        ? undefined
        : 'is not a moment of these times';
    }
    default:
      return numberFault(column, value);
  }
}

function symbolFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'is not a ticker';
  const found = symbolOrFault(() => canonicalSymbol(value));
  if ('fault' in found) return found.fault;
  return found.symbol === value ? undefined : 'is not a ticker';
}

function textFault(value: DatasetValue): string | undefined {
  if (typeof value !== 'string' || value === '') return 'is not a text';
  if (value.length > limits.ingest.textCharsMax) {
    return `has more than ${limits.ingest.textCharsMax} characters`;
  }
  return BROKEN_TEXT.test(value) ? 'has characters that are no text' : undefined;
}

function isWithin(value: DatasetValue, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

function numberFault(
  { kind, above, atLeast, atMost }: DatasetColumn,
  value: DatasetValue,
): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'is not a number';
  if (kind === 'integer' && !Number.isSafeInteger(value)) return 'is not a whole number';
  if (above !== undefined && !(value > above)) return `is not above ${above}`;
  if (atLeast !== undefined && value < atLeast) return `is below ${atLeast}`;
  return atMost !== undefined && value > atMost ? `is above ${atMost}` : undefined;
}
