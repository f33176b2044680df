import { describe, expect, it } from 'vitest';
import { createAnswer } from '../../../src/api/http/response.ts';
import type { AdmittedExchange, RouteSources } from '../../../src/api/http/route.ts';
import { createKeptPages } from '../../../src/api/responses/kept-pages.ts';
import { limits } from '../../../src/base/limits/limits.ts';

/** A route that counts how often it is asked, behind a clock and a version that can change. */
function counted() {
  const state = { nowMs: 5 * limits.page.keptMs, version: 'v1', made: 0, fails: false };
  const reader = { current: () => ({ id: state.version }) };
  const readers = { live: reader, sandbox: reader } as unknown as RouteSources['readers'];
  const kept = createKeptPages({ readers, now: () => state.nowMs });
  const answer = kept(() => {
    state.made++;
    if (state.fails) throw new Error('no');
    return createAnswer(200, 'text/plain', `${state.made}`);
  });
  const ask = async (values: { target?: string; account?: string; accept?: string } = {}) => {
    const { target = '/v1/svc/news', account = 'a', accept } = values;
    const key = { mode: 'live', account };
    const { body } = await answer({ key, target, headers: { accept } } as AdmittedExchange);
    return body;
  };
  return { state, ask };
}

describe('a page', () => {
  it('is kept for who asks the same in the same second', async () => {
    const { state, ask } = counted();
    expect([await ask(), await ask()]).toEqual(['1', '1']);
    state.nowMs += limits.page.keptMs;
    expect(await ask()).toBe('2');
  });

  it('is of a question, a format, an account and a version', async () => {
    const { state, ask } = counted();
    expect(await ask()).toBe('1');
    expect(await ask({ target: '/v1/svc/news?limit=2' })).toBe('2');
    expect(await ask({ accept: 'text/csv' })).toBe('3');
    expect(await ask({ account: 'b' })).toBe('4');
    expect(await ask()).toBe('1');
    state.version = 'v2';
    expect(await ask()).toBe('5');
  });

  it('is not kept where there is none', async () => {
    const { state, ask } = counted();
    state.fails = true;
    await expect(ask()).rejects.toThrow('no');
    state.fails = false;
    expect(await ask()).toBe('2');
  });
});
