import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backup } from '../../jobs/backup/backup.ts';
import { restore } from '../../jobs/backup/restore.ts';
import { modePaths } from '../../src/data-dir.ts';
import { DEPS, runFlow } from './flow.ts';
import { logicalHash } from './logical-hash.ts';
import { inFreshFolder, runChild, stateOf } from './run-child.ts';
import { isLong, scaled, TIMEOUT_MS, tell } from './scale.ts';
import { type Stage, withUndisturbed } from './undisturbed.ts';

/** They hold loads up: in the short form a few are enough. */
const MAX_COUNT = scaled(3, 100);

/** Backups taken one after the other while the flow runs in another process. */
async function backupsDuring(dataDir: string, home: string): Promise<string[]> {
  let isDone = false;
  const flow = runChild('flow-child.ts', [dataDir, '0']).finally(() => {
    isDone = true;
  });
  await expect
    .poll(() => existsSync(modePaths(dataDir, 'live').market), { timeout: 60_000 })
    .toBe(true);
  const targets: string[] = [];
  while (!isDone && targets.length < MAX_COUNT) {
    const target = join(home, `backup-${targets.length}`);
    await backup({ dataDir, target }, DEPS);
    targets.push(target);
  }
  expect(await flow).toMatchObject({ code: 0 });
  return targets;
}

/** What a restored backup shows is a version that was published; the same commands complete it. */
async function expectRestored(target: string, stages: readonly Stage[]): Promise<void> {
  await inFreshFolder(async (dataDir) => {
    await restore(target, { dataDir }, {});
    const published = [{ rows: 0, hash: '0' }, ...stages.map(({ state }) => state.data)];
    expect(published).toContainEqual(logicalHash(modePaths(dataDir, 'live').serving));
    await runFlow(dataDir);
    expect(await stateOf(dataDir), target).toEqual(stages[stages.length - 1].state);
  });
}

it(
  'backups taken while loads and publishes run restore to what was published, and go on from there',
  () =>
    withUndisturbed((stages) =>
      inFreshFolder(async (home) => {
        let backups = 0;
        for (let run = 0; run < scaled(1, 10); run++) {
          const [dataDir, folder] = [join(home, `data-${run}`), join(home, `run-${run}`)];
          mkdirSync(dataDir);
          mkdirSync(folder);
          const targets = await backupsDuring(dataDir, folder);
          expect(targets.length).toBeGreaterThan(0);
          // Of the short form's one of the middle, which the loads are busy around.
          const wanted = isLong ? targets : [targets[targets.length >> 1]];
          for (const target of wanted) await expectRestored(target, stages);
          backups += wanted.length;
        }
        tell('backups during loads', { backups, losses: 0 });
      }),
    ),
  TIMEOUT_MS,
);
