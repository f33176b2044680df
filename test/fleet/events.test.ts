/** The events of a fleet are found missing, doubled and unreceived. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Receiver } from '../jobs/webhooks/receiver.ts';
import { type Range, subscribe } from './events.ts';

const RANGES: readonly Range[] = [
  ['2025-01-02', '2025-01-06'],
  ['2025-01-07', '2025-01-07'],
];

const ready = (id: string, version: number) => ({ id, type: 'data.ready', data: { version } });
const load = (id: string, day: string) => ({
  ...{ id, type: 'candles.updated', data: { from: `${day}T14:30:00.000Z` } },
});

const ALL = [ready('r1', 1), ready('r2', 2), load('l1', '2025-01-03'), load('l2', '2025-01-07')];

describe('the events of a fleet', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((_, response) => response.writeHead(201).end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Judges deliveries by status, and the events that were received. */
  async function verdictOn(received: readonly { id: string }[], status = 'delivered', sent = ALL) {
    const { port } = server.address() as AddressInfo;
    const target = { name: 'x', address: `http://127.0.0.1:${port}`, headers: {} };
    const got = received.map((event) => ({ event })) as unknown as Receiver['got'];
    const rows = sent.map(({ id }) => ({ id, status }));
    const receiver = { port: 1, got } as unknown as Receiver;
    const events = await subscribe(target, receiver, '127.0.0.1', async () => rows);
    return { problem: await events.problem(RANGES), ...events.counts() };
  }

  it('are complete, also if one is received again', async () => {
    expect(await verdictOn([...ALL, ALL[2]])).toEqual({ problem: '', events: 4, repeats: 1 });
  });

  it.each([
    ['still waits', ALL, 'pending', ALL, '4 deliveries are pending'],
    ['was never received', ALL.slice(1), 'delivered', ALL, '1 delivered events were never'],
    ['was never made', ALL.slice(0, 3), 'delivered', ALL.slice(0, 3), '0 events of the load'],
    ['of a version is there twice', [...ALL, ready('r3', 2)], 'delivered', ALL, 'two events of a'],
    ['of a load is there twice', [...ALL, load('l3', '2025-01-07')], 'delivered', ALL, '2 events'],
  ] as const)('are wrong if one %s', async (_, received, status, sent, problem) => {
    expect((await verdictOn(received, status, [...sent])).problem).toContain(problem);
  });
});
