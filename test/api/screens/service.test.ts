/** The service behind a port: shared runs, bounds, cancelled requests, versions. */

import { cpSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  ScreenMessage,
  ScreenPage,
  ScreenReply,
  ScreenRequest,
} from '../../../src/api/screens/messages.ts';
import { type ScreenService, startScreenService } from '../../../src/api/screens/service.ts';
import { limits } from '../../../src/base/limits.ts';
import { openServing } from '../../../src/store/arrow/read/reader.ts';
import type { ServingReader } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { freshFolder, sharedFolder } from '../../support/folders.ts';
import { useLimits } from '../../support/use-limits.ts';
import { expressionSymbols, publishExpressionMarket } from '../support/expression-market.ts';
import { LAST_DAY, NOW_MS } from '../support/market-fixture.ts';

const made = sharedFolder();
let folder: string;
let reader: ServingReader;
let service: ScreenService;
let port: MessagePort;
let lastId: number;
const waiting = new Map<number, (reply: ScreenReply) => void>();
/** Ids in the order of their replies. */
const replied: number[] = [];

beforeAll(() => publishExpressionMarket(made));
beforeEach(() => {
  folder = freshFolder();
  cpSync(made, folder, { recursive: true });
  reader = openServing(folder, { pollMs: 5 });
  service = startScreenService({ live: reader, sandbox: reader });
  port = connected();
  lastId = 0;
  replied.length = 0;
});

afterEach(() => {
  port.close();
  service.close();
  reader.close();
});

function connected(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  service.accept(port2);
  port1.on('message', (reply: ScreenReply) => {
    replied.push(reply.id);
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  return port1;
}

function requestOf(where: string, more: Partial<ScreenRequest> = {}): ScreenRequest {
  return {
    mode: 'sandbox',
    account: 'a',
    texts: { where },
    filters: [],
    symbols: undefined,
    sort: 'marketCap',
    direction: 'desc',
    limit: 10,
    format: 'json',
    isExplained: false,
    asOfDay: undefined,
    place: undefined,
    ...more,
  };
}

type PageReply = Exclude<ScreenReply, { kind: 'checked' }>;

/** Sends a request. Those of one turn of a test arrive before any of them runs. */
function send(request: ScreenRequest, to = port): Promise<PageReply> {
  const id = ++lastId;
  to.postMessage({ kind: 'page', id, request } satisfies ScreenMessage);
  return new Promise((resolve) => waiting.set(id, resolve as (reply: ScreenReply) => void));
}

function cancel(id: number): void {
  port.postMessage({ kind: 'cancel', id } satisfies ScreenMessage);
}

async function page(request: ScreenRequest): Promise<ScreenPage> {
  const reply = await send(request);
  expect(reply).toMatchObject({ kind: 'page' });
  return (reply as Extract<PageReply, { kind: 'page' }>).page;
}

const failureOf = (reply: PageReply) => (reply.kind === 'error' ? reply.error : undefined);

const rowsOf = ({ rows }: ScreenPage): { symbol: string }[] => JSON.parse(`[${rows}]`);
const symbolsOf = (one: ScreenPage) =>
  rowsOf(one)
    .map(({ symbol }) => symbol)
    .join(' ');

describe('results', () => {
  it('are computed once for requests that come together, whatever their pages', async () => {
    const where = 'close > sma(5)';
    const replies = await Promise.all([
      send(requestOf(where)),
      send(requestOf(where, { account: 'b', limit: 1 })),
      send(requestOf(where, { direction: 'asc', symbols: ['UP'] })),
    ]);
    const works = replies.map((reply) => reply.kind === 'page' && reply.page.workMs);
    expect(works[0]).toBeGreaterThan(0);
    expect(new Set(works).size).toBe(1);
    expect(replies).toMatchObject([
      { page: { total: 2 } },
      { page: { total: 2 } },
      { page: { total: 1 } },
    ]);
  });

  it('are kept for other spellings, and not for other versions', async () => {
    const first = await page(requestOf('close > sma(5) and close > 1'));
    expect(first.workMs).toBeGreaterThan(0);
    // The first request in a spelling is compiled.
    await page(requestOf('CLOSE>sma( 5 )and(close>1)'));
    expect((await page(requestOf('CLOSE>sma( 5 )and(close>1)'))).workMs).toBe(0);
    expect((await page(requestOf('close > sma(5) and close > 1', { limit: 1 }))).workMs).toBe(0);
    const { id } = reader.current();
    await publishExpressionMarket(folder, expressionSymbols(), NOW_MS + 1);
    await expect.poll(() => reader.current().id).not.toBe(id);
    expect((await page(requestOf('close > sma(5) and close > 1'))).workMs).toBeGreaterThan(0);
  });

  it('have the texts of the request', async () => {
    const named = async (columns: string) => {
      const [row] = rowsOf(await page(requestOf('close > 1', { texts: { columns } })));
      return row;
    };
    expect(await named('sma(3)')).toMatchObject({ columns: { 'sma(3)': expect.any(Number) } });
    expect(await named('SMA( 3 )')).toMatchObject({ columns: { 'SMA( 3 )': expect.any(Number) } });
  });
});

describe('verified screens', () => {
  const sentences = [
    'close > sma(5)',
    'ema(9) > 3 and rsi(14) > 1',
    'weekly(close) > 2',
    'avg(volume, 5) > 1',
  ];
  const requests = sentences.flatMap((where) => [
    requestOf(where),
    requestOf(where, { isExplained: true }),
    requestOf(where, { asOfDay: LAST_DAY - 7, texts: { where, columns: 'macd, sector' } }),
  ]);

  function verify(served: ServingReader): void {
    service.close();
    port.close();
    service = startScreenService({ live: served, sandbox: served }, 1);
    port = connected();
  }

  it('have the rows of others, also when their result is kept', async () => {
    const pages: ScreenPage['rows'][] = [];
    for (const request of requests) pages.push((await page(request)).rows);
    verify(reader);
    for (const [i, request] of [...requests, ...requests].entries()) {
      expect((await page(request)).rows).toEqual(pages[i % requests.length]);
    }
  });

  it('fail if the files have other rows than what is in memory', async () => {
    const other = freshFolder();
    const [down, ...rest] = expressionSymbols();
    const { bars } = down;
    const close = bars.close.map((value) => value + 0.5);
    await publishExpressionMarket(other, [{ ...down, bars: { ...bars, close } }, ...rest]);
    verify({ ...reader, folder: other });
    const failure = failureOf(await send(requestOf('close > sma(5)')));
    expect(failure).toBeUndefined();
    const columns = requestOf('close > 0', { texts: { where: 'close > 0', columns: 'sma(5)' } });
    expect(failureOf(await send(columns))).toMatchObject({
      kind: 'other',
      message: expect.stringContaining('has other columns cold than in its response'),
    });
  });
});

describe('kept results of past days', () => {
  useLimits(limits.screenThread, { resultBytesMax: 5000 });

  it('count the securities of the day, which no other result has', async () => {
    const asOf = (ago: number) => page(requestOf('close > 1', { asOfDay: LAST_DAY - ago }));
    await asOf(1);
    await asOf(2);
    expect((await asOf(2)).workMs).toBe(0);
    expect((await asOf(1)).workMs).toBeGreaterThan(0);
  });
});

describe('kept results of replaced versions', () => {
  useLimits(limits.screenThread, { releaseMs: 5 });

  it('are dropped with the version, whose files they keep open', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    await page(requestOf('close > 1'));
    const replaced = new WeakRef(reader.current());
    const { id } = reader.current();
    await publishExpressionMarket(folder, expressionSymbols(), NOW_MS + 1);
    await expect.poll(() => reader.current().id).not.toBe(id);
    await page(requestOf('close > 2'));
    await expect
      .poll(() => {
        collect();
        return replaced.deref();
      })
      .toBeUndefined();
  });

  it('stay while a walk is on the version', async () => {
    const request = requestOf('close > 0', { limit: 2 });
    const { next } = await page(request);
    const { id } = reader.current();
    await publishExpressionMarket(folder, expressionSymbols(), NOW_MS + 1);
    await expect.poll(() => reader.current().id).not.toBe(id);
    // A release in between would have dropped the result of a version that is not held.
    await new Promise((resolve) => setTimeout(resolve, 3 * limits.screenThread.releaseMs));
    expect((await page({ ...request, place: next })).workMs).toBe(0);
  });
});

describe('requests of accounts', () => {
  useLimits(limits.screenThread, { accountRunningMax: 1, accountWaitingMax: 1, runningMax: 2 });

  it('are refused beyond the bound, and each account has its own', async () => {
    const [first, second, third, other] = await Promise.all([
      send(requestOf('close > 1')),
      send(requestOf('close > 2')),
      send(requestOf('close > 3')),
      send(requestOf('close > 4', { account: 'b' })),
    ]);
    expect([first.kind, second.kind, other.kind]).toEqual(['page', 'page', 'page']);
    expect(failureOf(third)).toMatchObject({
      kind: 'http',
      status: 429,
      headers: ['Retry-After', '1'],
    });
    expect((await send(requestOf('close > 3'))).kind).toBe('page');
  });

  it('take turns: a later account is not behind the work of an earlier one', async () => {
    const where = (seed: number) =>
      Array.from({ length: 30 }, (_, i) => `kama(${2 + seed * 30 + i}) > 0`).join(' and ');
    await Promise.all([
      send(requestOf(where(0))),
      send(requestOf(where(1))),
      send(requestOf('close > 5', { account: 'b' })),
    ]);
    expect(replied.indexOf(3)).toBeLessThan(replied.indexOf(2));
  });

  it('that are cancelled make room', async () => {
    const one = send(requestOf('close > 1'));
    send(requestOf('close > 2'));
    cancel(2);
    const three = send(requestOf('close > 3'));
    expect((await one).kind).toBe('page');
    expect((await three).kind).toBe('page');
    expect(replied).toEqual([1, 3]);
  });

  it('of a closed port make room', async () => {
    const other = connected();
    send(requestOf('close > 1'), other);
    send(requestOf('close > 2'), other);
    other.close();
    await expect.poll(async () => (await send(requestOf('close > 3'))).kind).toBe('page');
  });

  it('that others wait for as well are finished', async () => {
    send(requestOf('close > 1'));
    const shared = send(requestOf('close > 1', { account: 'b' }));
    cancel(1);
    expect((await shared).kind).toBe('page');
  });
});

describe('all requests', () => {
  useLimits(limits.screenThread, {
    accountRunningMax: 1,
    accountsRunningMax: 1,
    runningMax: 1,
    waitingMax: 1,
  });

  it('are refused beyond their bound', async () => {
    const replies = await Promise.all(
      ['a', 'b', 'c'].map((account, i) => send(requestOf(`close > ${i}`, { account }))),
    );
    expect(replies.map(({ kind }) => kind)).toEqual(['page', 'page', 'error']);
    expect(failureOf(replies[2])).toMatchObject({ kind: 'http', status: 503 });
  });
});

describe('a screen that takes too long', () => {
  useLimits(limits.screenThread, { workMs: -1000 });
  useLimits(limits, { tickBudgetMs: 0 });

  it('fails, and the next one is not affected', async () => {
    const failure = failureOf(await send(requestOf('close > 1')));
    expect(failure).toEqual({
      kind: 'parameter',
      field: 'where',
      message: 'where must take at most -1 s of processor time: use fewer or shorter conditions',
      details: {},
    });
    Object.assign(limits.screenThread, { workMs: 10_000 });
    expect((await send(requestOf('close > 1'))).kind).toBe('page');
  });
});

describe('versions', () => {
  it('are held while walks are on them, for as long as others that were replaced', async () => {
    const first = await page(requestOf('close > 0', { limit: 2 }));
    expect(symbolsOf(first)).toBe('DOWN FLAT');
    for (let turn = 1; turn <= 4; turn++) {
      const { id } = reader.current();
      const [, ...rest] = expressionSymbols();
      await publishExpressionMarket(folder, rest, NOW_MS + turn);
      await expect.poll(() => reader.current().id).not.toBe(id);
    }
    const request = requestOf('close > 0', { limit: 2, place: first.next });
    const second = await page(request);
    expect([symbolsOf(second), second.total, second.isChanged]).toEqual(['JUMP NEW', 5, false]);
  });

  it('that nobody walked, or another server had, are left for the newest', async () => {
    const place = ['unknown', 0, null, 'FLAT'] satisfies ScreenRequest['place'];
    const next = await page(requestOf('close > 0', { limit: 2, place }));
    expect([symbolsOf(next), next.isChanged]).toEqual(['JUMP NEW', true]);
    expect(next.next?.slice(0, 2)).toEqual([reader.current().id, 1]);
    const last = await page(requestOf('close > 0', { limit: 2, place: next.next }));
    expect([symbolsOf(last), last.isChanged]).toEqual(['UP', true]);
  });
});

it('checks expressions without running them', async () => {
  const check = (where: string) => {
    const id = ++lastId;
    port.postMessage({ kind: 'check', id, texts: { where } } satisfies ScreenMessage);
    return new Promise<ScreenReply>((resolve) => waiting.set(id, resolve));
  };
  expect(await check('close>1')).toMatchObject({ kind: 'checked', canonical: expect.any(String) });
  expect(await check('close >')).toMatchObject({
    kind: 'error',
    error: { kind: 'parameter', field: 'where', details: { expression: { position: 8 } } },
  });
});
