import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { modePaths } from '../../src/data-dir.ts';
import { openPublished } from '../../src/store/serving/reader.ts';
import { BALLAST_NAME, runFlow } from './flow.ts';
import { hashOf, logicalHash } from './logical-hash.ts';
import { runChild, stateOf } from './run-child.ts';
import { each, isLong, ours, seededRandom, TIMEOUT_MS, tell } from './scale.ts';
import { type Point, pointsOf, withUndisturbed } from './undisturbed.ts';

const DISK_BYTES = 48 * 1024 * 1024;

/** How many places the short form fills the disk at. */
const SHORT_COUNT = 3;

/** What the system, DuckDB and SQLite say. */
const NAMES_THE_DISK = /no space left|disk is full|ENOSPC|not enough space|disk I\/O error/i;

/** A small disk of its own; undefined where this user may not mount one. */
function mountDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  onTestFinished(() => {
    // Lazily: snapshots that are not collected yet hold files of it.
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** @returns whether the command refused. */
async function fillFrom(dataDir: string, { stage, place }: Point): Promise<boolean> {
  const paths = modePaths(dataDir, 'live');
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
  stage.prepare(dataDir);
  const held = openPublished(paths.serving);
  const before = held && hashOf(held);
  const range = [stage.from, stage.to].map(String);
  const { code, notes } = await runChild('full-child.ts', [dataDir, place, ...range]);
  const at = `stage ${stage.from}, ${place}`;
  if (code !== 0) expect(notes.join('\n'), at).toMatch(NAMES_THE_DISK);
  // Whoever reads goes on, and whatever is published by now can be opened on the full disk.
  expect(held && hashOf(held), at).toEqual(before);
  expect(logicalHash(paths.serving).rows, at).toBeGreaterThanOrEqual(before?.rows ?? 0);
  rmSync(join(dataDir, BALLAST_NAME), { force: true });
  await runFlow(dataDir, stage);
  expect(await stateOf(dataDir), at).toEqual(stage.state);
  return code !== 0;
}

it(
  'a disk that fills up fails writes loudly, readers go on, and room is all that is missing',
  async (context) => {
    const dataDir = mountDisk();
    if (!dataDir) return context.skip('only root may mount a tmpfs');
    await withUndisturbed(async (stages) => {
      const random = seededRandom(6);
      const all = pointsOf(stages);
      const some = () => all[Math.floor(random() * all.length)];
      const points = isLong ? ours(all) : Array.from({ length: SHORT_COUNT }, some);
      let refused = 0;
      await each(points, async (point) => {
        if (await fillFrom(dataDir, point)) refused++;
      });
      expect(refused).toBeGreaterThan(0);
      tell('full disk', { places: points.length, refused, losses: 0 });
    });
  },
  TIMEOUT_MS,
);
