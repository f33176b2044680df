/** Rate limits over machines that count in one Redis. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shareRequestCounts } from '../../../src/api/access/fleet-counts.ts';
import type { ValidKey } from '../../../src/store/accounts/keys/key-record.ts';
import { newCountMemory } from '../../../src/store/accounts/usage/count-memory.ts';
import { createRequestCounts } from '../../../src/store/accounts/usage/request-counts.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';

const WINDOW = 1000;

describe.skipIf(!redisServer)('machines that share Redis', () => {
  let redis: RunningRedis;
  let closing: (() => Promise<void>)[] = [];
  let tests = 0;
  let key: ValidKey;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());
  beforeEach(() => {
    key = { id: `key_${tests++}`, number: 7 } as ValidKey;
    return async () => {
      await Promise.all(closing.map((close) => close()));
      closing = [];
    };
  });

  function machine() {
    const memory = newCountMemory();
    const counts = createRequestCounts(memory);
    const notes: string[] = [];
    const shared = shareRequestCounts(memory, redis.url, (line) => notes.push(line));
    closing.push(shared.close);
    /** Counts one request, and posts it as a thread does. Returns its number in the window. */
    const request = (of = key, window = WINDOW) => {
      const number = counts.countRequest(of, window);
      shared.noteUse([{ key: of }]);
      return number;
    };
    return { ...counts, request, notes, close: shared.close };
  }

  it('count the requests of a key together', async () => {
    const [one, two, three] = [machine(), machine(), machine()];
    for (let i = 1; i <= 5; i++) expect(one.request()).toBe(i);
    // A machine knows of the others after its own first request.
    await expect.poll(() => two.request()).toBeGreaterThan(5);
    const before = three.request();
    expect(before).toBe(1);
    const last = two.request();
    await expect.poll(() => one.request()).toBeGreaterThan(last);
    await expect.poll(() => three.request()).toBeGreaterThan(last);
  });

  it('start again with each window, and count files apart', async () => {
    const [one, two] = [machine(), machine()];
    for (let i = 0; i < 5; i++) one.request();
    await expect.poll(() => two.request()).toBeGreaterThan(5);
    expect(two.request(key, WINDOW + 1)).toBe(1);
    expect(two.countFileRequest(key, WINDOW + 1)).toBe(1);
    await expect.poll(() => one.request(key, WINDOW + 1)).toBeGreaterThan(1);
    expect(one.countFileRequest(key, WINDOW + 1)).toBe(1);
    two.request(key, WINDOW + 1);
    await expect.poll(() => one.countFileRequest(key, WINDOW + 1)).toBeGreaterThan(2);
  });

  it('do not mix keys of different accounts that have one number', async () => {
    const [one, two] = [machine(), machine()];
    for (let i = 0; i < 5; i++) one.request();
    const other = { ...key, id: `${key.id}_other` };
    for (let i = 1; i <= 3; i++) expect(two.request(other)).toBe(i);
    await expect.poll(() => two.request()).toBeGreaterThan(8);
  });

  it('count alone while Redis is away, and lose no request by it', async () => {
    const [one, two] = [machine(), machine()];
    one.request();
    await expect.poll(() => two.request()).toBeGreaterThan(2);
    await redis.kill();
    const alone = one.request();
    await expect.poll(() => one.notes).toHaveLength(1);
    expect(one.notes[0]).toMatch(/^Redis does not count, so each machine counts alone: /);
    expect(one.request()).toBe(alone + 1);
    await redis.start();
    const mine = one.request();
    await expect.poll(() => two.request()).toBeGreaterThan(mine);
    const notesAfterRequest = () => {
      one.request();
      return one.notes;
    };
    await expect.poll(notesAfterRequest).toHaveLength(2);
    expect(one.notes[1]).toBe('Rate limits hold over all machines again.');
  });

  it('stop without a line, also in the middle of an exchange', async () => {
    const one = machine();
    one.request();
    await one.close();
    expect(one.notes).toEqual([]);
  });

  // The driver forgets a command that waits for its next try to connect: a server with Redis away
  // did not end.
  it('stop while Redis is away, with requests that it lacks', async () => {
    const machines = Array.from({ length: 5 }, () => machine());
    for (const one of machines) one.request();
    await redis.kill();
    for (const { request, notes } of machines) {
      await expect.poll(() => request() && notes).toHaveLength(1);
    }
    for (const { request } of machines) request();
    await Promise.all(machines.map(({ close }) => close()));
    await redis.start();
  });

  it('go on where a restarted machine was', async () => {
    const one = machine();
    for (let i = 0; i < 5; i++) one.request();
    const two = machine();
    await expect.poll(() => two.request()).toBeGreaterThan(5);
    const restarted = machine();
    await expect.poll(() => restarted.request()).toBeGreaterThan(6);
  });
});
