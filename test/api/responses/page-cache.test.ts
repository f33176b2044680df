import { describe, expect, it } from 'vitest';
import type { AdmittedContext } from '../../../src/api/http/request-context.ts';
import { createResponse } from '../../../src/api/http/response.ts';
import { createPageCache } from '../../../src/api/responses/cached.ts';
import { limits } from '../../../src/base/limits.ts';

/** A route that counts its calls, behind a clock and a version that can change. */
function counted() {
  const state = { nowMs: 5 * limits.page.keptMs, version: 'v1', made: 0, fails: false };
  const cached = createPageCache(() => state.nowMs);
  const make = () => {
    state.made++;
    if (state.fails) throw new Error('no');
    return createResponse(200, 'text/plain', `${state.made}`);
  };
  const ask = async (values: { target?: string; account?: string; accept?: string } = {}) => {
    const { target = '/v1/svc/news', account = 'a', accept } = values;
    const key = { mode: 'live', account };
    const context = { key, target, headers: { accept } } as AdmittedContext;
    return (await cached(context, state.version, make)).body;
  };
  return { state, ask };
}

describe('a page', () => {
  it('is cached for the same request in the same second', async () => {
    const { state, ask } = counted();
    expect([await ask(), await ask()]).toEqual(['1', '1']);
    state.nowMs += limits.page.keptMs;
    expect(await ask()).toBe('2');
  });

  it('depends on query, format, account and version', async () => {
    const { state, ask } = counted();
    expect(await ask()).toBe('1');
    expect(await ask({ target: '/v1/svc/news?limit=2' })).toBe('2');
    expect(await ask({ accept: 'text/csv' })).toBe('3');
    expect(await ask({ account: 'b' })).toBe('4');
    expect(await ask()).toBe('1');
    state.version = 'v2';
    expect(await ask()).toBe('5');
  });

  it('is not cached if making it fails', async () => {
    const { state, ask } = counted();
    state.fails = true;
    await expect(ask()).rejects.toThrow('no');
    state.fails = false;
    expect(await ask()).toBe('2');
  });
});
