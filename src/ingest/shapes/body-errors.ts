/** Errors that APIs return in place of bars, and that were saved as files. */

import { quoted } from '../../base/quoted.ts';
import type { JsonObject } from '../inputs/json-line.ts';

/** Keys that hold what went wrong, the most telling first. */
const KEYS = [
  'error message',
  'error_message',
  'errormessage',
  'error',
  'errors',
  'errmsg',
  'note',
  'information',
  'fault',
  'description',
  'message',
  'detail',
  'reason',
  'code',
];

/** States of responses that hold nothing. */
const EMPTY_STATES = ['no_data', 'error', 'not_found', 'not_authorized', 'delayed_no_data'];

/** Returns the error that a response states in place of bars, quoted; undefined without one. */
export function errorOfBody(body: JsonObject): string | undefined {
  const said = textOfError(body);
  if (said !== undefined) return quoted(said);
  const state = Object.entries(body).find(
    ([key, value]) =>
      (/^(?:s|status)$/i.test(key) && EMPTY_STATES.includes(String(value).toLowerCase())) ||
      (/^(?:results?count|count|totalrecords)$/i.test(key) && value === 0),
  );
  return state && `"${state[0]}" is ${quoted(String(state[1]))}`;
}

function textOfError(value: unknown, depth = 0): string | undefined {
  if (Array.isArray(value)) return value.map((item) => textOfError(item, depth)).find(Boolean);
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value).map(([key, item]) => [key.toLowerCase(), item] as const);
  for (const key of KEYS) {
    const item = entries.find(([name]) => name === key)?.[1];
    if (typeof item === 'string' && item !== '') return item;
    const inner = key === 'code' ? undefined : textOrInner(item, depth);
    if (inner !== undefined) return inner;
  }
  // Yahoo wraps its errors: `{"chart":{"error":{}}}`.
  if (depth >= 2) return undefined;
  return entries.map(([, item]) => textOfError(item, depth + 1)).find(Boolean);
}

function textOrInner(item: unknown, depth: number): string | undefined {
  if (Array.isArray(item) && typeof item[0] === 'string') return item[0];
  return item === undefined ? undefined : textOfError(item, depth + 1);
}
