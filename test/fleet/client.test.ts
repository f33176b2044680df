/** The client of a fleet finds mixed, older and foreign responses. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeOf, STOCKS } from '../faults/support/small-market.ts';
import { checkedDate, PATHS, REFERENCE, startClient } from './client.ts';

const DATES = ['2025-01-02', '2025-01-03', '2025-01-06'];

/** Makes the body of a path; stock `i` has the first `counts[i]` dates. */
function bodyOf(path: string, counts: readonly number[]): string {
  const bars = STOCKS.map((_, i) =>
    DATES.slice(0, counts[i]).map((date) => ({ timestamp: date, close: closeOf(i, date) })),
  );
  if (path === PATHS[0]) {
    const rows = STOCKS.flatMap((name, i) =>
      bars[i].map(({ timestamp, close }) => `${name},${timestamp},${close}`),
    );
    return ['symbol,date,close', ...rows].join('\n');
  }
  if (path === PATHS[1]) {
    return JSON.stringify({ data: bars.map((rows) => ({ price: rows.at(-1)?.close })) });
  }
  const value = bars[0].reduce((sum, { close }) => sum + close, 0) / 5;
  return JSON.stringify({ candles: bars[0], indicators: { 'sma:5': [{ value }] } });
}

describe('one response', () => {
  it.each(PATHS)('of one version shows its date: %s', (path) => {
    expect(checkedDate(path, bodyOf(path, [2, 2, 2]), DATES)).toBe(DATES[1]);
  });

  it.each(PATHS.slice(0, 2))('of two versions is found: %s', (path) => {
    expect(() => checkedDate(path, bodyOf(path, [3, 2, 3]), DATES)).toThrow('instead of');
  });
});

describe('a machine', () => {
  let server: Server;
  let address: string;
  /** Newest version and ETag by target. */
  const shown = new Map<string, [count: number, etag: string]>();
  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      const [, name, path] = /^\/(\w+)(\/.*)$/.exec(String(url)) as string[];
      const [count, etag] = shown.get(name) as [number, string];
      response.setHeader('etag', etag);
      response.end(bodyOf(path, [count, count, count]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Shows version 2 and then another state, until the client has a verdict. */
  async function verdictOn(count: number, etag: string): Promise<string> {
    const names = [REFERENCE, 'machine'];
    for (const name of names) shown.set(name, [2, '2']);
    const targets = names.map((name) => ({ name, address: `${address}/${name}`, headers: {} }));
    const client = startClient(targets, () => DATES);
    await expect.poll(() => names.every((name) => client.hasSeen(name, DATES[1]))).toBe(true);
    expect(client.take().responses).toBeGreaterThan(0);
    shown.set('machine', [count, etag]);
    let verdict = '';
    const look = () => {
      try {
        client.take();
      } catch (error) {
        verdict = (error as Error).message;
      }
      return verdict;
    };
    await expect.poll(look).not.toBe('');
    await client.end();
    return verdict;
  }

  it('that goes back is found', async () => {
    expect(await verdictOn(1, '1')).toContain(`${DATES[0]} after ${DATES[1]}`);
  });

  it('with a version that was never published is found', async () => {
    expect(await verdictOn(3, '3')).toContain('no version');
  });

  it('has a count of its responses, without the last ones before it goes down', async () => {
    shown.set('machine', [2, '2']);
    const target = { name: 'machine', address: `${address}/machine`, headers: {} };
    const client = startClient([target], () => DATES);
    await expect.poll(() => client.tally('machine').certain).toBeGreaterThan(3);
    const [up, down] = await client.inSilence(async () => {
      const before = client.tally('machine');
      client.down('machine');
      return [before, client.tally('machine')];
    });
    expect(up.certain).toBe(up.sent);
    expect(down).toEqual({ sent: up.sent, certain: 0 });
    await client.end();
  });

  it('with another body than the reference is found', async () => {
    expect(await verdictOn(3, '2')).toContain('another body');
  });
});
