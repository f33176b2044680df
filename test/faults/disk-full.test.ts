import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { modePaths } from '../../src/data-dir.ts';
import { BALLAST_NAME, runFlow } from './flow.ts';
import { logicalHash } from './logical-hash.ts';
import { inFreshFolder, runChild, stateOf } from './run-child.ts';
import { isLong, seededRandom, TIMEOUT_MS, tell } from './scale.ts';

const DISK_BYTES = 48 * 1024 * 1024;

/** How many places the short form fills the disk at. */
const SHORT_COUNT = 4;

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

it(
  'a disk that fills up fails writes loudly, readers go on, and room is all that is missing',
  async (context) => {
    const dataDir = mountDisk();
    if (!dataDir) return context.skip('only root may mount a tmpfs');
    const random = seededRandom(6);
    const whole = await inFreshFolder(async (other) => {
      const { steps } = await runChild('flow-child.ts', [other, '0']);
      return { steps, state: await stateOf(other) };
    });
    const places = isLong
      ? whole.steps.map((_, i) => i + 1)
      : Array.from({ length: SHORT_COUNT }, () => Math.ceil(random() * whole.steps.length));
    const paths = modePaths(dataDir, 'live');
    let refused = 0;
    for (const place of places) {
      for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
      mkdirSync(paths.root);
      const { code, notes } = await runChild('full-child.ts', [dataDir, String(place)]);
      const at = `${place} ${whole.steps[place - 1]}`;
      if (code !== 0) {
        refused++;
        expect(notes.join('\n'), at).toMatch(NAMES_THE_DISK);
      }
      // Whatever is published by now can be read, on the full disk too.
      const { rows } = logicalHash(paths.serving);
      expect(rows, at).toBeGreaterThanOrEqual(0);
      rmSync(join(dataDir, BALLAST_NAME), { force: true });
      await runFlow(dataDir);
      expect(await stateOf(dataDir), at).toEqual(whole.state);
    }
    expect(refused).toBeGreaterThan(0);
    tell('full disk', { places: places.length, refused, losses: 0 });
  },
  TIMEOUT_MS,
);
