import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadAndPublish } from '../../jobs/processors/load-and-publish.ts';
import { publish } from '../../jobs/publish.ts';
import { rebuild } from '../../jobs/rebuild.ts';
import { writeLanding } from '../../jobs/runner/landings.ts';
import type { PlanHead } from '../../jobs/runner/plan.ts';
import { settingsFromEnv } from '../../src/config.ts';
import { modePaths } from '../../src/data-dir.ts';
import { landedFrom } from '../../src/ingest/landed-segment.ts';
import { openAccounts } from '../../src/store/accounts/accounts.ts';
import { flip } from './flip.ts';
import { BATCHES, DEPS, isLanded, landAll, loadAll, NOW_MS, runFlow } from './flow.ts';
import { logicalHash } from './logical-hash.ts';
import { inFreshFolder, ledgerOf, runChild } from './run-child.ts';
import { scaled, seededRandom, TIMEOUT_MS, tell } from './scale.ts';

/** Of what one child has landed. */
const PLAN: PlanHead = {
  ...{ id: 'plan', mode: 'live', source: 'files', verb: 'flow', priority: 'backfill' },
  ...{ createdMs: NOW_MS, childCount: 1 },
};

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
        scaled(40, 600),
        random,
        () => served[Math.floor(random() * served.length)],
        async () => logicalHash(paths.serving),
      );
      // Arrow's own framing and the zeros between columns are for other readers of these small files.
      expect(serving.detected).toBeGreaterThan(0);
      const market = await flip(
        scaled(4, 200),
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
  'one flipped byte of a kept segment is detected when the store is made anew from it',
  async () => {
    const random = seededRandom(9);
    await inFreshFolder(async (dataDir) => {
      const paths = modePaths(dataDir, 'live');
      mkdirSync(paths.root);
      await loadAll(paths, BATCHES.flat().filter(isLanded));
      await publish(paths, DEPS);
      const segments = readdirSync(paths.segments)
        .filter((name) => name.endsWith('.parquet'))
        .map((name) => join(paths.segments, name));
      expect(segments.length).toBe(6);
      const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: dataDir });
      const found = await flip(
        scaled(3, 200),
        random,
        () => segments[Math.floor(random() * segments.length)],
        async () => {
          await rebuild(paths, { isPartial: false }, { ...DEPS, settings });
          return [logicalHash(paths.serving), await ledgerOf(paths)];
        },
      );
      expect(found.unchanged).toBe(0);
      tell('flipped bytes of kept segments', { ...found, 'wrong numbers': 0 });
    });
  },
  TIMEOUT_MS,
);

it(
  'one flipped byte of a segment is detected when it is loaded for the first time',
  async () => {
    const random = seededRandom(11);
    await inFreshFolder(async (dataDir) => {
      const paths = modePaths(dataDir, 'live');
      mkdirSync(paths.root);
      const segments = await landAll(paths, BATCHES.flat().filter(isLanded));
      const landing = { isComplete: true, segments: segments.map(landedFrom), skipped: [] };
      await writeLanding(paths, { plan: PLAN.id, index: 0 }, landing);
      const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: dataDir });
      const found = await flip(
        scaled(2, 100),
        random,
        () =>
          join(paths.segments, `${segments[Math.floor(random() * segments.length)].id}.parquet`),
        async () => {
          for (const path of [paths.market, paths.serving])
            rmSync(path, { recursive: true, force: true });
          const { deadJobs } = await loadAndPublish(PLAN, new Map(), { ...DEPS, paths, settings });
          if (deadJobs.length > 0) throw new Error(deadJobs[0].reason);
          return [logicalHash(paths.serving), await ledgerOf(paths)];
        },
      );
      expect(found.unchanged).toBe(0);
      tell('flipped bytes of segments before their first load', { ...found, 'wrong numbers': 0 });
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
        scaled(16, 200),
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
