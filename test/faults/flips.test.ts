import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { modePaths } from '../../src/data-dir.ts';
import { openAccounts } from '../../src/store/accounts/accounts.ts';
import { runFlow } from './flow.ts';
import { logicalHash } from './logical-hash.ts';
import { inFreshFolder, runChild } from './run-child.ts';
import { scaled, seededRandom, TIMEOUT_MS, tell } from './scale.ts';

/** Flips one bit of a file and gives it back as it was when the work is done. */
async function withFlippedByte<T>(
  path: string,
  random: () => number,
  work: () => Promise<T>,
): Promise<T> {
  const whole = readFileSync(path);
  const damaged = Buffer.from(whole);
  damaged[placeIn(damaged, random)] ^= 1 << Math.floor(random() * 8);
  writeFileSync(path, damaged);
  try {
    return await work();
  } finally {
    writeFileSync(path, whole);
  }
}

/** Where something is written, rather than among the zeros that fill pages and columns up. */
function placeIn(bytes: Uint8Array, random: () => number): number {
  let place = 0;
  for (let tries = 0; tries < 50; tries++) {
    place = Math.floor(random() * bytes.length);
    if (bytes[place] !== 0) break;
  }
  return place;
}

/** What was found out by the flips of one kind of file. */
interface Found {
  detected: number;
  /** Where the byte means nothing: free space, padding. */
  unchanged: number;
}

async function flip(
  count: number,
  random: () => number,
  pathOf: () => string,
  read: () => Promise<unknown>,
): Promise<Found> {
  const expected = await read();
  const found = { detected: 0, unchanged: 0 };
  for (let i = 0; i < count; i++) {
    const path = pathOf();
    const state = await withFlippedByte(path, random, () =>
      read().catch((error) => {
        expect((error as Error).message, path).not.toBe('');
        return 'detected';
      }),
    );
    if (state === 'detected') found.detected++;
    else {
      expect(state, path).toEqual(expected);
      found.unchanged++;
    }
  }
  return found;
}

async function marketContent(dataDir: string): Promise<string[]> {
  const { code, steps } = await runChild('market-child.ts', [dataDir]);
  if (code !== 0) throw new Error('the store could not be read');
  return steps;
}

/** What a key may do and where a webhook goes; who is not found gets nothing. */
function grants(path: string, rawKey: string, webhookId: string): unknown {
  const accounts = openAccounts(path);
  try {
    const key = accounts.findKey(rawKey);
    const webhook = accounts.findWebhook('a', 'live', webhookId);
    if (!key || !webhook) throw new Error('unknown');
    return [key, webhook];
  } finally {
    accounts.close();
  }
}

it(
  'one flipped byte is detected or means nothing: never is a wrong number given',
  async () => {
    const random = seededRandom(7);
    await inFreshFolder(async (dataDir) => {
      await runFlow(dataDir);
      const paths = modePaths(dataDir, 'live');
      const served = readdirSync(paths.serving).map((name) => join(paths.serving, name));
      const serving = await flip(
        scaled(60, 600),
        random,
        () => served[Math.floor(random() * served.length)],
        async () => logicalHash(paths.serving),
      );
      // Arrow's own framing and the zeros between columns are for other readers of these small files.
      expect(serving.detected).toBeGreaterThan(0);
      const market = await flip(
        scaled(8, 200),
        random,
        () => paths.market,
        () => marketContent(dataDir),
      );
      tell('flipped bytes of served files', { ...serving, 'wrong numbers': 0 });
      tell('flipped bytes of market.duckdb', { ...market, 'wrong numbers': 0 });
    });
  },
  TIMEOUT_MS,
);

it(
  'one flipped byte of accounts.sqlite grants nothing',
  async () => {
    const random = seededRandom(8);
    await inFreshFolder(async (dataDir) => {
      const [path, copy] = [join(dataDir, 'accounts.sqlite'), join(dataDir, 'copy.sqlite')];
      const accounts = openAccounts(path);
      accounts.createAccount({ id: 'a', label: 'A' });
      const { rawKey } = accounts.createKey({
        ...{ account: 'a', mode: 'live', label: 'k' },
        scopes: ['quotes:read'],
      });
      const url = 'https://example.com/hook';
      const { id } = accounts.createWebhook({
        account: 'a',
        mode: 'live',
        url,
        events: ['data.ready'],
      });
      accounts.close();
      const found = await flip(
        scaled(40, 200),
        random,
        () => path,
        async () => {
          for (const ending of ['', '-wal', '-shm']) rmSync(copy + ending, { force: true });
          copyFileSync(path, copy);
          return grants(copy, rawKey, id);
        },
      );
      tell('flipped bytes of accounts.sqlite', { ...found, 'wrong grants': 0 });
    });
  },
  TIMEOUT_MS,
);
