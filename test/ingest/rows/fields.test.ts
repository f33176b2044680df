import { describe, expect, it } from 'vitest';
import { millisOfText } from '../../../src/ingest/rows/fields.ts';

const NOON = Date.parse('2026-11-20T14:02:00Z');

describe('a moment of a vendor', () => {
  it.each([
    ['2026-11-20T14:02:00.000Z', NOON],
    ['2026-11-20T09:02-05:00', NOON],
    // Without a zone it counts as UTC, so it is the same on every machine.
    ['2026-11-20 14:02:00', NOON],
    ['2026-11-20', undefined],
    ['2026-13-40 14:02:00', undefined],
    ['yesterday', undefined],
    [null, undefined],
  ])('%j', (text, ms) => expect(millisOfText(text)).toBe(ms));
});
