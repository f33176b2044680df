/** Ids that find a request's line in the log; unique over restarts and processes. */

import { randomBytes } from 'node:crypto';

const COUNTER_CHARS = 8;

/** @returns A function that gives `req_` + 12 letters of this process + a counter. */
export function createRequestIds(): () => string {
  const prefix = `req_${randomBytes(6).toString('hex')}`;
  let count = 0;
  return () => prefix + (count++).toString(36).padStart(COUNTER_CHARS, '0');
}
