/** Ids of events: the same event gets the same id each time it is emitted. */

import { createHash } from 'node:crypto';

const DIGITS = 32;

/**
 * Builds an id.
 *
 * @param parts Texts that distinguish this event from all others.
 */
export function eventId(...parts: readonly string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex');
  return `evt_${digest.slice(0, DIGITS)}`;
}
