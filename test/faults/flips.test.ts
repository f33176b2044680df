import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunHead } from '../../jobs/contract/run.ts';
import { writeStaged } from '../../jobs/contract/staging.ts';
import { loadAndPublish } from '../../jobs/processors/load.ts';
import { publish } from '../../jobs/publish/publish.ts';
import { rebuild } from '../../jobs/rebuild/rebuild.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { stagedFrom } from '../../src/ingest/segments/staged-segment.ts';
import { inFreshFolder, ledgerOf, runChild } from './children/run.ts';
import { isLong, scaled, seededRandom, tell } from './scale.ts';
import { flip, isCorruptData } from './support/flip.ts';
import { BATCHES, DEPS, isStaged, landAll, loadAll, NOW_MS } from './support/flow.ts';
import { logicalHash } from './support/logical-hash.ts';
import { withUndisturbed } from './support/undisturbed.ts';

/** Loads whose rows are kept; one of candles and one of rows in the short form. */
const ALL_KEPT = BATCHES.flat().filter(isStaged);
const KEPT = isLong
  ? ALL_KEPT
  : [ALL_KEPT.find((load) => 'close' in load), ALL_KEPT[0]].filter((load) => load !== undefined);

/** Head of the run that staged the segment of one task. */
const PLAN: RunHead = {
  ...{ id: 'plan', mode: 'live', source: 'files', verb: 'flow', priority: 'backfill' },
  ...{ createdMs: NOW_MS, childCount: 1 },
};

async function marketContent(dataDir: string): Promise<string[]> {
  const { code, steps, notes } = await runChild('market.ts', [dataDir]);
  if (code !== 0) throw new Error(notes.join('\n'));
  return steps;
}

/** Words in which DuckDB reports a damaged block. */
const DUCKDB_TELLS = /Corrupt database file|not a valid DuckDB database file/;

it('one flipped byte is detected or means nothing: never is a wrong number given', () =>
  withUndisturbed((stages) =>
    inFreshFolder(async (dataDir) => {
      const random = seededRandom(7);
      stages[stages.length - 1].complete(dataDir);
      const paths = modePaths(dataDir, 'live');
      // The mark of the highest epoch is empty.
      const names = readdirSync(paths.serving).filter((name) => !name.endsWith('.mark'));
      const served = names.map((name) => join(paths.serving, name));
      const pathOf = () => served[Math.floor(random() * served.length)];
      const serving = await flip({
        ...{ count: scaled(20, 600), random, pathOf, tellsOfDamage: isCorruptData },
        read: async () => logicalHash(paths.serving),
      });
      // Arrow's own framing and the zeros between columns are for other readers of these small files.
      expect(serving.detected).toBeGreaterThan(0);
      const market = await flip({
        ...{ count: scaled(2, 200), random, pathOf: () => paths.market },
        read: () => marketContent(dataDir),
        tellsOfDamage: ({ message }) => DUCKDB_TELLS.test(message),
      });
      tell('flipped bytes of served files', { ...serving, 'wrong numbers': 0 });
      tell('flipped bytes of market.duckdb', { ...market, 'wrong numbers': 0 });
    }),
  ));

it('one flipped byte of a kept segment is detected when the store is made anew from it', async () => {
  const random = seededRandom(9);
  await inFreshFolder(async (dataDir) => {
    const paths = modePaths(dataDir, 'live');
    mkdirSync(paths.root);
    await loadAll(paths, KEPT);
    await publish(paths, DEPS);
    const segments = readdirSync(paths.segments)
      .filter((name) => name.endsWith('.parquet'))
      .map((name) => join(paths.segments, name));
    expect(segments.length).toBe(KEPT.length);
    const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: dataDir });
    const found = await flip({
      ...{ count: scaled(2, 200), random },
      pathOf: () => segments[Math.floor(random() * segments.length)],
      async read() {
        await rebuild(paths, { isPartial: false }, { ...DEPS, settings });
        return [logicalHash(paths.serving), await ledgerOf(paths)];
      },
      tellsOfDamage: ({ message }, path) =>
        message.includes(`"${path}" does not match its SHA-256`),
    });
    expect(found.unchanged).toBe(0);
    tell('flipped bytes of kept segments', { ...found, 'wrong numbers': 0 });
  });
});

it('one flipped byte of a segment is detected when it is loaded for the first time', async () => {
  const random = seededRandom(11);
  await inFreshFolder(async (dataDir) => {
    const paths = modePaths(dataDir, 'live');
    mkdirSync(paths.root);
    const segments = await landAll(paths, KEPT);
    const landing = { isComplete: true, segments: segments.map(stagedFrom), skipped: [] };
    await writeStaged(paths, { plan: PLAN.id, createdMs: PLAN.createdMs, index: 0 }, landing);
    const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: dataDir });
    const found = await flip({
      ...{ count: scaled(2, 100), random },
      pathOf: () =>
        join(paths.segments, `${segments[Math.floor(random() * segments.length)].id}.parquet`),
      async read() {
        for (const path of [paths.market, paths.serving])
          rmSync(path, { recursive: true, force: true });
        const { deadJobs } = await loadAndPublish(PLAN, new Map(), { ...DEPS, paths, settings });
        if (deadJobs.length > 0) throw new Error(deadJobs[0].reason);
        return [logicalHash(paths.serving), await ledgerOf(paths)];
      },
      tellsOfDamage: ({ message }, path) => message.includes(basename(path, '.parquet')),
    });
    expect(found.unchanged).toBe(0);
    tell('flipped bytes of segments before their first load', { ...found, 'wrong numbers': 0 });
  });
});
