import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { backup } from '../../jobs/backup/backup.ts';
import { publish } from '../../jobs/publish/publish.ts';
import { createDeliverer } from '../../jobs/webhooks/deliver.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { dayFromMillis } from '../../src/base/time/dates.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { startTestServer, type TestServer } from '../api/support/test-server.ts';
import { mountSmallDisk, NAMES_THE_DISK, type SmallDisk } from '../support/small-disk.ts';
import { inFreshFolder, runChild, stateOf } from './children/run.ts';
import { each, isLong, ours, seededRandom, tell } from './scale.ts';
import { DEPS, runFlow } from './support/flow.ts';
import { hashOf, type LogicalHash, logicalHash } from './support/logical-hash.ts';
import { type Point, pointsOf, type Stage, withUndisturbed } from './support/undisturbed.ts';

const DISK_BYTES = 48 * 1024 * 1024;

const CANNOT_MOUNT = 'only root may mount a tmpfs';

/** @returns whether the command refused. */
async function fillFrom(disk: SmallDisk, { stage, place }: Point): Promise<boolean> {
  const { folder: dataDir } = disk;
  const { serving } = modePaths(dataDir, 'live');
  disk.clear();
  stage.prepare(dataDir);
  const held = openPublished(serving);
  const before = held && hashOf(held);
  const range = [stage.from, stage.to].map(String);
  const { code, notes } = await runChild('full.ts', [dataDir, place, ...range]);
  const at = `stage ${stage.from}, ${place}`;
  if (code !== 0) expect(notes.join('\n'), at).toMatch(NAMES_THE_DISK);
  // Whoever reads goes on, and whatever is published by now can be opened on the full disk.
  expect(held && hashOf(held), at).toEqual(before);
  const published = logicalHash(serving);
  disk.free();
  const wholes = [before ?? { rows: 0, hash: '0' }, stage.state.data];
  if (!wholes.some(({ hash }) => hash === published.hash)) {
    // A command that fails midway shows what it has loaded.
    expect(published, at).toEqual(await publishedAnew(dataDir));
  }
  await runFlow(dataDir, stage);
  expect(await stateOf(dataDir), at).toEqual(stage.state);
  return code !== 0;
}

/** Publishes a copy of a store from scratch, and hashes the result. */
function publishedAnew(dataDir: string): Promise<LogicalHash> {
  return inFreshFolder(async (copy) => {
    cpSync(dataDir, copy, { recursive: true });
    const paths = modePaths(copy, 'live');
    await publish(paths, { ...DEPS, isWhole: true });
    return logicalHash(paths.serving);
  });
}

/** In the short form the seed says which place of a load. */
function pointsToFillAt(stages: readonly Stage[]): Point[] {
  const random = seededRandom(6);
  if (isLong) return ours(pointsOf(stages));
  return stages.slice(1, 2).map((stage) => {
    return { stage, place: stage.places[Math.floor(random() * stage.places.length)] };
  });
}

it('a disk that fills up fails writes loudly, readers go on, and room is all that is missing', async (context) => {
  const disk = mountSmallDisk(DISK_BYTES);
  if (!disk) return context.skip(CANNOT_MOUNT);
  onTestFinished(disk.remove);
  await withUndisturbed(async (stages) => {
    const points = pointsToFillAt(stages);
    let refused = 0;
    await each(points, async (point) => {
      if (await fillFrom(disk, point)) refused++;
    });
    expect(refused).toBeGreaterThan(0);
    tell('full disk', { places: points.length, refused, losses: 0 });
  });
});

/** A moment at which all events of the flow are due; the relay has its own clock. */
const LATER_MS = Date.now() + 60_000;

/** Room that is left, in bytes: for nothing, for a page or two of SQLite. */
const LEFT_BYTES = isLong ? [0, 4096, 16_384, 65_536, 262_144] : [0];

const QUESTIONS = ['quotes/A', 'candles?symbols=A,B,C&interval=1d', 'news'];

/** Without what differs from request to request. */
async function answers({ request }: TestServer, rawKey: string): Promise<string[]> {
  const replies = QUESTIONS.map((path) =>
    request(`/v1/svc/${path}`, { headers: { 'X-API-Key': rawKey } }),
  );
  return (await Promise.all(replies)).map(({ status, text }) => `${status} ${text}`);
}

/** Requests that write to the disk. */
const WRITES = {
  keys: ['/v1/svc/developer/keys', { label: 'new', scopes: ['quotes:read'] }],
  webhooks: ['/v1/svc/webhooks', { url: 'https://example.com/new', events: ['data.ready'] }],
} as const;

/** @returns the statuses of one request of each. */
async function write({ request }: TestServer, rawKey: string): Promise<number[]> {
  const statuses: number[] = [];
  for (const [path, body] of Object.values(WRITES)) {
    const headers = { 'X-API-Key': rawKey, 'Content-Type': 'application/json' };
    const reply = await request(path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (reply.status !== 201) {
      expect([reply.status, reply.text]).toEqual([503, expect.stringMatching(NAMES_THE_DISK)]);
    }
    statuses.push(reply.status);
  }
  return statuses;
}

/** Counts the keys and webhooks of an account. */
async function kept({ accounts }: TestServer, account: string): Promise<number[]> {
  return [
    (await accounts.listKeyPart(account, 'live', { limit: 100 })).total,
    (await accounts.listWebhookPart(account, 'live', { limit: 100 })).total,
  ];
}

/** Requests that are counted, written or not yet. */
async function callsOf({ accounts, writeCounts }: TestServer, account: string): Promise<number> {
  writeCounts();
  const day = dayFromMillis(LATER_MS);
  const range = { fromDay: day, toDay: day, rowsMax: 100 };
  const rows = await accounts.dailyUsage({ mode: 'live', account, ...range });
  return rows.reduce((sum, { callCount }) => sum + callCount, 0);
}

/** Deliveries on a disk that has no room, where none may be begun; and how many wait. */
async function deliver({ accounts }: TestServer): Promise<void> {
  const settings = { webhookPrivate: false };
  const log = { delivery: () => undefined, failure: () => undefined };
  const deliverer = createDeliverer({ accounts, settings, log, now: () => LATER_MS });
  await expect(deliverer.deliver()).rejects.toThrow(NAMES_THE_DISK);
  await deliverer.close(0);
}

it('a server on a full disk answers what is asked and refuses what it can’t keep; nothing is lost', async (context) => {
  const disk = mountSmallDisk(DISK_BYTES);
  if (!disk) return context.skip(CANNOT_MOUNT);
  onTestFinished(disk.remove);
  const { folder: dataDir } = disk;
  await withUndisturbed(async (stages) => {
    const last = stages[stages.length - 1];
    for (const leftBytes of LEFT_BYTES) {
      disk.clear();
      last.complete(dataDir);
      const server = await startTestServer(dataDir, LATER_MS);
      try {
        const rawKey = await server.newKey({ mode: 'live', account: 'a' });
        const before = await answers(server, rawKey);
        const [had, calls] = [await kept(server, 'a'), await callsOf(server, 'a')];
        disk.fill(leftBytes);
        expect(await answers(server, rawKey), `${leftBytes}`).toEqual(before);
        const statuses = await write(server, rawKey);
        if (leftBytes === 0) {
          expect(statuses).toEqual([503, 503]);
          const ready = await server.request('/readyz');
          expect(ready.json).toMatchObject({ diskFull: true });
          await deliver(server);
        }
        const target = join(dataDir, 'backup');
        await expect(backup({ dataDir, target }, DEPS)).rejects.toThrow(NAMES_THE_DISK);
        // What is counted waits in memory.
        server.writeCounts();
        expect(await answers(server, rawKey), `${leftBytes}`).toEqual(before);
        disk.free();
        const isKept = statuses.map((status) => Number(status === 201));
        expect(await kept(server, 'a')).toEqual(had.map((count, i) => count + isKept[i]));
        expect(await write(server, rawKey)).toEqual([201, 201]);
        const asked = 2 * (QUESTIONS.length + Object.keys(WRITES).length);
        expect(await callsOf(server, 'a')).toBe(calls + asked);
        const due = await server.accounts.claimDeliveries(100, 0);
        expect(due.length).toBeGreaterThan(0);
        expect(new Set(due.map(({ eventId }) => eventId)).size).toBe(due.length);
      } finally {
        disk.free();
        await server.close();
      }
      expect(await stateOf(dataDir)).toEqual(last.state);
    }
    tell('a server on a full disk', { levels: LEFT_BYTES.length, losses: 0 });
  });
});
