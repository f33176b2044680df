/** Ids of events that publishing makes: the same each time the same thing is told. */

import { createHash } from 'node:crypto';

const DIGITS = 32;

/** @param parts What tells this event from all others. */
export function eventId(...parts: readonly string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex');
  return `evt_${digest.slice(0, DIGITS)}`;
}
