/** One fault after the other in a fleet: no wrong response, no lost version, and a time to recover. */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../cli/support/ask.ts';
import { tell } from '../faults/scale.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { faketime, postgresFolder, redisServer, seaweedfs } from '../support/tools.ts';
import { type Fleet, type Machine, startFleet } from './fleet.ts';
import type { Service } from './network.ts';

const DISK_BYTES = 48 * 1024 * 1024;
const PUBLISHER_DISK_BYTES = 4 * DISK_BYTES;

/** Longer than every wait of a request to the store. */
const CUT_MS = 20_000;

/** Time for which a part is away: some responses of every machine. */
const AWAY_MS = 2000;

const FILES = /\/files\//;

/** Takes what room there is, page by page. */
function takeRoom(folder: string): void {
  try {
    for (;;) appendFileSync(join(folder, 'ballast'), Buffer.alloc(4096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** Cables to cut, and the sessions that are loaded meanwhile. */
const CUTS: readonly [name: string, service: Service, sessions: number][] = [
  ['machine 1', 'postgres', 1],
  ['machine 1', 'objects', 1],
  ['fetcher', 'redis', 12],
  ['publisher', 'redis', 12],
  ['publisher', 'objects', 1],
  ['publisher', 'postgres', 1],
];

describe.skipIf(!seaweedfs || !redisServer || !postgresFolder)('a fleet', () => {
  let fleet: Fleet;
  let disk: SmallDisk | undefined;
  let publisherDisk: SmallDisk | undefined;
  /** Publishes that the last fault made fail. */
  let repeated = 0;
  /** Keys that were made during the run. */
  const keys: string[] = [];

  /** The second machine's disk can be filled; the second and third machine's clocks are wrong. */
  function settingsOf(place: number): Record<string, string> {
    const clock: Record<string, string> = faketime
      ? { LD_PRELOAD: faketime, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
      : {};
    if (place === 2) return faketime ? { ...clock, FAKETIME: '-60s' } : {};
    if (place === 0) return {};
    disk = mountSmallDisk(DISK_BYTES);
    const onDisk: Record<string, string> = disk ? { TAPEWORKS_DATA_DIR: disk.folder } : {};
    return faketime ? { ...onDisk, ...clock, FAKETIME: '+60s' } : onDisk;
  }

  beforeAll(async () => {
    publisherDisk = mountSmallDisk(PUBLISHER_DISK_BYTES);
    fleet = await startFleet({
      machines: 3,
      more: settingsOf,
      ...(publisherDisk && { publisherMore: { TAPEWORKS_DATA_DIR: publisherDisk.folder } }),
    });
    await fleet.check();
  });
  afterAll(async () => {
    await fleet?.remove();
    disk?.remove();
    publisherDisk?.remove();
  });

  /** Waits until every machine has the newest version, checks all that holds and tells the time. */
  async function recovered(fault: string, fromMs = performance.now()): Promise<void> {
    await fleet.untilFollowed();
    const ms = Math.round(performance.now() - fromMs);
    const { machines } = fleet;
    const { rawKey } = await fleet.makeKey(machines[keys.length % machines.length]);
    keys.push(rawKey);
    await Promise.all(machines.map((machine) => fleet.untilStatus(machine, rawKey, 200)));
    const { responses, refused } = await fleet.check();
    expect(responses).toBeGreaterThan(0);
    const { events, repeats } = fleet.events.counts();
    tell(`fleet: ${fault}`, {
      'ms to recover at most': ms,
      responses,
      'while the machine was down': refused,
      ...{ wrong: 0, 'failed publishes': repeated },
      'events so far at most': events,
      'received again at most': repeats,
    });
    repeated = 0;
  }

  /** Runs a publish that may fail for one reason, and repeats it in the end if it did. */
  function tried(sessions: number, reason: RegExp): () => Promise<void> {
    const outcome = fleet.publish(sessions).then(
      () => undefined,
      (error: Error) => error,
    );
    return async () => {
      const error = await outcome;
      if (!error) return;
      expect(error.message).toMatch(reason);
      repeated++;
      await fleet.publishAgain();
    };
  }

  /** Returns the time at which a machine, by its clock, had the newest version. */
  async function confirmedMs({ address }: Machine): Promise<number> {
    const { text } = await ask(`${address}/readyz`);
    return Date.parse(JSON.parse(text).replicas.live.confirmedAt);
  }

  const others = (machine: Machine) => fleet.machines.filter((one) => one !== machine);

  const nodeOf = (wanted: string) =>
    [fleet.worker, fleet.fetcher, ...fleet.machines].find(({ name }) => name === wanted);

  it('follows a publish on every machine, with clocks that differ by a minute each way', async () => {
    if (faketime) {
      const [fast, slow] = await Promise.all(fleet.machines.slice(1).map(confirmedMs));
      expect(fast - slow).toBeGreaterThan(90_000);
    }
    await fleet.publish();
    await recovered(`a publish${faketime ? ', clocks of two machines off by a minute' : ''}`);
  });

  it.each([0, 1, 2])('serves from the other machines while one is killed: %i', async (place) => {
    const machine = fleet.machines[place];
    await fleet.kill(machine);
    await fleet.publish();
    await fleet.untilFollowed(others(machine));
    const startMs = performance.now();
    await fleet.start(machine);
    await recovered(`${machine.name} is killed, from its start`, startMs);
  });

  it('keeps the old version while the publisher is killed in mid-upload', async () => {
    const { worker } = fleet;
    const killed = new Promise<void>((resolve) => {
      let uploads = 0;
      worker.proxy.rule = (line) => {
        if (!/^PUT/.test(line) || !FILES.test(line)) return undefined;
        if (++uploads === 3) worker.kill().then(resolve);
        return uploads >= 3 ? 'hang' : undefined;
      };
    });
    const published = fleet.publish();
    published.catch(() => undefined);
    await killed;
    worker.proxy.rule = undefined;
    await fleet.untilPublished();
    const startMs = performance.now();
    await worker.start();
    await recovered('the publisher is killed in mid-upload, from its start', startMs);
    await published;
  });

  it('gives the tasks of a killed worker to the other one', async () => {
    const { fetcher, vendor } = fleet;
    const before = vendor.asked().size;
    const published = fleet.publish(20);
    while (vendor.asked().size < before + 3) await delay(5);
    await fetcher.kill();
    const startMs = performance.now();
    await published;
    await recovered('a worker that fetches is killed, from the kill', startMs);
    await fetcher.start();
  });

  it('serves without Redis, and loads again once it is there', async () => {
    const { redis } = fleet;
    await redis.kill();
    await delay(AWAY_MS);
    const startMs = performance.now();
    await redis.start();
    await fleet.publish();
    await recovered('Redis is killed; from its start, with a load', startMs);
  });

  it('serves without Postgres, and counts and sends everything once it is there', async () => {
    const { postgres, machines } = fleet;
    await postgres.kill();
    const published = tried(1, /Postgres|accounts/);
    await delay(AWAY_MS);
    await expect(fleet.makeKey(machines[0])).rejects.toThrow('503');
    const startMs = performance.now();
    await postgres.restart();
    await published();
    await recovered('Postgres is killed, from its start, with a load', startMs);
  });

  it.each(CUTS)('%s goes on after 20 s without a cable to %s', async (...args) => {
    const [name, service, sessions] = args;
    const node = nodeOf(name);
    if (!node?.network) return console.log('skipped: only root cuts cables');
    const [, second, third] = fleet.machines;
    const before = fleet.vendor.asked().size;
    const counts = fleet.events.counts();
    const published = tried(sessions, /uploaded|Postgres|accounts|Redis/);
    if (sessions > 1) while (fleet.vendor.asked().size < before + 2) await delay(5);
    node.network.cut(service);
    const startMs = performance.now();
    const [kept, revoked] = [await fleet.makeKey(second), await fleet.makeKey(second)];
    await fleet.untilStatus(third, revoked.rawKey, 200);
    await fleet.revokeKey(second, revoked.id);
    await fleet.untilStatus(third, revoked.rawKey, 401);
    await delay(Math.max(0, CUT_MS - (performance.now() - startMs)));
    // What the cut end can't do, so that a cut that cuts nothing is found.
    const machine = fleet.machines.find((one) => one.name === name);
    const behind = fleet.machines.filter((one) => fleet.client.dateOf(one.name) < fleet.date());
    if (service === 'objects') expect(behind).toEqual(machine ? [machine] : fleet.machines);
    if (service === 'redis' && name === 'publisher') expect(behind).toEqual(fleet.machines);
    if (service === 'postgres' && machine) {
      await expect(fleet.makeKey(machine)).rejects.toThrow('503');
    } else if (service === 'postgres') {
      expect(fleet.events.counts()).toEqual(counts);
    }
    node.network.mend(service);
    const endMs = performance.now();
    await Promise.all(
      fleet.machines.map(async (machine) => {
        await fleet.untilStatus(machine, kept.rawKey, 200);
        await fleet.untilStatus(machine, revoked.rawKey, 401);
      }),
    );
    await published();
    await recovered(`no cable between ${name} and ${service} for 20 s, from its end`, endMs);
  });

  it('serves without the object store, and follows once it is there', async () => {
    const { store } = fleet;
    await store.kill();
    // Segments go through the store, so the load fails at once and is repeated.
    const published = tried(1, /socket hang up|ECONNREFUSED/);
    await delay(AWAY_MS);
    const startMs = performance.now();
    await store.start();
    await published();
    await recovered('the object store is killed, from its start', startMs);
  });

  it('serves from a full disk, and follows once there is room', async ({ skip }) => {
    if (!disk) return skip('only root mounts a small disk');
    const [, machine] = fleet.machines;
    disk.fill();
    // A replica removes what it needs no more, which makes room.
    const { folder } = disk;
    const filling = setInterval(() => takeRoom(folder), 5);
    const isBehind = () => fleet.client.dateOf(machine.name) < fleet.date();
    for (let tries = 0; tries < 5 && !isBehind(); tries++) {
      await fleet.publish();
      await fleet.untilFollowed(others(machine));
      await delay(AWAY_MS);
    }
    clearInterval(filling);
    expect(isBehind()).toBe(true);
    disk.free();
    await recovered('the disk of a machine is full, from the free room');
  });

  it('publishes again once the disk of the publisher has room', async ({ skip }) => {
    if (!publisherDisk) return skip('only root mounts a small disk');
    const { folder } = publisherDisk;
    const before = fleet.date();
    publisherDisk.fill();
    const filling = setInterval(() => takeRoom(folder), 5);
    const published = tried(1, /disk|space|ENOSPC/i);
    await delay(5 * AWAY_MS);
    clearInterval(filling);
    expect(fleet.machines.map(({ name }) => fleet.client.dateOf(name))).toEqual(
      fleet.machines.map(() => before),
    );
    publisherDisk.free();
    const startMs = performance.now();
    await published();
    await recovered('the disk of the publisher is full, from the free room', startMs);
  });

  it('knows every key that was made, on every machine', async () => {
    const all = keys.flatMap((key) =>
      fleet.machines.map((one) => fleet.untilStatus(one, key, 200)),
    );
    await Promise.all(all);
    expect(all.length).toBeGreaterThan(0);
  });
});
