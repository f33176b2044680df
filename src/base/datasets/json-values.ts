/** Values of datasets as JSON has them. */

import { dateFromDay } from '../time/dates.ts';
import type { ColumnKind, DatasetValue } from './dataset.ts';

export function jsonValue(kind: ColumnKind, value: DatasetValue | undefined): DatasetValue {
  if (value === null || value === undefined) return null;
  if (kind === 'date') return dateText(value);
  return kind === 'moment' ? momentText(value) : value;
}

export function dateText(value: DatasetValue): string {
  return dateFromDay(Number(value));
}

export function momentText(value: DatasetValue): string {
  return new Date(Number(value)).toISOString();
}
