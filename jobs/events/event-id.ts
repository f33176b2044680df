import { createHash } from 'node:crypto';

const DIGITS = 32;

/** Builds an id from texts that distinguish the event: emitted again, it has the same id. */
export function eventId(...parts: readonly string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex');
  return `evt_${digest.slice(0, DIGITS)}`;
}
