/** Examples of CSV, from those of JSON. */

import { assert } from '../../../base/errors.ts';
import type { RouteExample } from './contract.ts';

function fieldText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = Array.isArray(value) ? value.join(' ') : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows of a list, else the one object, with a column for each field. */
export function csvExample({ answer, csv }: RouteExample): string {
  if (csv !== undefined) return csv;
  const rows = ((answer as { data?: unknown }).data ?? [answer]) as Record<string, unknown>[];
  assert(rows.length > 0, 'the example of a list has rows');
  const names = Object.keys(rows[0]);
  const lines = rows.map((row) => names.map((name) => fieldText(row[name])).join(','));
  return [names.join(','), ...lines, ''].join('\r\n');
}
