import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCursors, type Walk } from '../../../src/api/responses/cursor.ts';
import { ParameterError } from '../../../src/base/errors.ts';
import { limits } from '../../../src/base/limits.ts';

const NOW_MS = Date.UTC(2026, 7, 3, 14, 30);
const SECRET = new Uint8Array(32).fill(7);
const WALK: Walk = { account: 'default', mode: 'live', query: 'screener sector=Energy' };

type Position = [value: number | null, symbol: string];
const POSITION: Position = [12.5, 'BRK.B'];

/** Cursors of a server whose clock is `laterMs` ahead. */
function cursors({ secret = SECRET, laterMs = 0 } = {}) {
  return createCursors(secret, () => NOW_MS + laterMs);
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(ParameterError);
    expect((error as ParameterError).field).toBe('cursor');
    return (error as ParameterError).message;
  }
  throw new Error('nothing was thrown');
}

const BAD = /^cursor must come from a response of this path, got "/;

describe('a cursor', () => {
  it('holds its position, for every process with the same secret', () => {
    const cursor = cursors().seal(WALK, POSITION);
    expect(cursors({ laterMs: 1000 }).open(cursor, { ...WALK })).toEqual(POSITION);
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  it('holds any number and any symbol exactly', () => {
    const { seal, open } = cursors();
    const number = fc.oneof(fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(number, fc.string(), (value, symbol) => {
        const [openedValue, openedSymbol] = open<Position>(seal(WALK, [value, symbol]), WALK);
        // JSON has no negative zero; no list tells it from zero.
        expect(openedValue === null ? null : openedValue + 0).toBe(
          value === null ? null : value + 0,
        );
        expect(openedSymbol).toBe(symbol);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('is refused when a single character is other than it was', () => {
    const { seal, open } = cursors();
    const cursor = seal(WALK, POSITION);
    for (let i = 0; i < cursor.length; i++) {
      const altered = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1);
      expect(messageOf(() => open(altered, WALK))).toMatch(BAD);
    }
  });

  it('is refused when it is cut, padded, empty or no cursor at all', () => {
    const { seal, open } = cursors();
    const cursor = seal(WALK, POSITION);
    for (const text of [
      cursor.slice(0, -1),
      `${cursor}=`,
      `${cursor} `,
      '',
      'next',
      'x'.repeat(60),
    ]) {
      expect(messageOf(() => open(text, WALK))).toMatch(BAD);
    }
  });

  it('is refused when another secret signed it', () => {
    const cursor = cursors({ secret: new Uint8Array(32).fill(8) }).seal(WALK, POSITION);
    expect(messageOf(() => cursors().open(cursor, WALK))).toMatch(BAD);
  });

  it('is refused for another account, mode or query, each by name', () => {
    const { seal, open } = cursors();
    const cursor = seal(WALK, POSITION);
    expect(messageOf(() => open(cursor, { ...WALK, account: 'other' }))).toBe(
      'cursor belongs to another account',
    );
    expect(messageOf(() => open(cursor, { ...WALK, mode: 'sandbox' }))).toBe(
      'cursor belongs to live data, and this key reads sandbox data',
    );
    expect(messageOf(() => open(cursor, { ...WALK, query: 'screener' }))).toBe(
      'cursor belongs to another query: repeat the parameters of the page it came with',
    );
  });

  it('expires a day after it was given', () => {
    const cursor = cursors().seal(WALK, POSITION);
    const { cursorTtlMs } = limits.page;
    expect(cursors({ laterMs: cursorTtlMs - 1 }).open(cursor, WALK)).toEqual(POSITION);
    expect(messageOf(() => cursors({ laterMs: cursorTtlMs }).open(cursor, WALK))).toBe(
      'cursor has expired after 24 hours: start again without it',
    );
  });
});
