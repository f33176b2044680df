import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backup } from '../../jobs/backup/backup.ts';
import { restore } from '../../jobs/backup/restore.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { type FlowState, inFreshFolder, runChild, stateOf } from './children/run.ts';
import { scaled, tell } from './scale.ts';
import { DEPS, runFlow } from './support/flow.ts';
import { logicalHash } from './support/logical-hash.ts';
import { type Stage, withUndisturbed } from './support/undisturbed.ts';

/** Largest number of backups of one flow. They delay loads, so the short form makes one. */
const MAX_COUNT = scaled(1, 100);

/** Loads that were noted in a data directory. */
function loadCount(dataDir: string): number {
  const folder = join(modePaths(dataDir, 'live').segments, 'loaded');
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

/** Backups taken one after the other while stages of the flow run in another process. */
async function backupsDuring(
  stages: readonly Stage[],
  dataDir: string,
  home: string,
): Promise<string[]> {
  let isDone = false;
  stages[0].prepare(dataDir);
  const before = loadCount(dataDir);
  const range = [stages[0].from, stages[stages.length - 1].to].map(String);
  const flow = runChild('flow.ts', [dataDir, '0', ...range]).finally(() => {
    isDone = true;
  });
  // Once it has begun to load.
  await expect.poll(() => loadCount(dataDir)).toBeGreaterThan(before);
  const targets: string[] = [];
  while (!isDone && targets.length < MAX_COUNT) {
    const target = join(home, `backup-${targets.length}`);
    await backup({ dataDir, target }, DEPS);
    targets.push(target);
  }
  expect(await flow).toMatchObject({ code: 0 });
  return targets;
}

/** Expects a restored backup to show a published version, and the same commands to complete it. */
async function expectRestored(
  target: string,
  stages: readonly Stage[],
  { from, before }: { from: number; before: FlowState | undefined },
): Promise<void> {
  await inFreshFolder(async (dataDir) => {
    await restore(target, { dataDir }, {});
    const published = [before, ...stages.map(({ state }) => state)].map(
      (state) => state?.data ?? { rows: 0, hash: '0' },
    );
    expect(published).toContainEqual(logicalHash(modePaths(dataDir, 'live').serving));
    const { to, state } = stages[stages.length - 1];
    await runFlow(dataDir, { from, to });
    expect(await stateOf(dataDir), target).toEqual(state);
  });
}

it('backups taken while loads and publishes run restore to what was published, and go on from there', () =>
  withUndisturbed((all) =>
    inFreshFolder(async (home) => {
      // The short form has the corrections alone, and what was there before them.
      const from = scaled(1, 0);
      const stages = all.slice(from, scaled(2, all.length));
      const start = { from, before: all[from - 1]?.state };
      let backups = 0;
      for (let run = 0; run < scaled(1, 10); run++) {
        const [dataDir, folder] = [join(home, `data-${run}`), join(home, `run-${run}`)];
        mkdirSync(dataDir);
        mkdirSync(folder);
        const targets = await backupsDuring(stages, dataDir, folder);
        expect(targets.length).toBeGreaterThan(0);
        for (const target of targets) await expectRestored(target, stages, start);
        backups += targets.length;
      }
      tell('backups during loads', { backups, losses: 0 });
    }),
  ));
