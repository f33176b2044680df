/** Checks of a version, wherever it is served and when it begins to be. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CorruptDataError } from '../../src/base/errors.ts';
import { filesOf } from '../../src/store/arrow/format/manifest.ts';
import type { Manifest } from '../../src/store/arrow/format/manifest-types.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import type { Place } from './fleet-end.ts';
import { differences } from './log.ts';
import type { Simulation } from './simulation.ts';

/** Wait of a reader between two looks for a newer version. */
export const POLL_MS = 200;

/** Reads all that a failure of the power has left, before a process can mend it. */
export function checkLeft(now: Simulation, place: Place): void {
  const { disk, paths, newest } = place;
  if (disk.spoilt > 0) return;
  try {
    using version = openPublished(paths.serving);
    if (version) checkVersion(now, version, place);
    if (newest && (version?.manifest.version ?? 0) < newest.version) {
      now.violate('what was acknowledged is there', `version ${newest.version}`);
    }
  } catch (error) {
    now.violate('what is served is whole', String(error));
  }
}

/**
 * Reads all of a version at the moment at which it is swapped in.
 *
 * @returns its manifest, or that of the version before if damage at rest hides it.
 */
export function checkSwapped(
  now: Simulation,
  place: Place,
  before: Manifest | undefined,
): Manifest | undefined {
  try {
    using version = openPublished(place.paths.serving)!;
    const { manifest } = version;
    checkOrder(now, manifest, before);
    checkVersion(now, version, place);
    return manifest;
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    if (!place.disk.hasDamage) now.violate('what is served is whole', String(error));
    return before;
  }
}

/** Readers still open files of the version before the newest, until the next publish begins. */
export function checkBefore(now: Simulation, { disk, paths, swaps }: Place): void {
  const before = swaps.at(-2)?.manifest;
  const isThere = (name: string) => existsSync(join(paths.serving, name));
  const gone = before && [...filesOf(before)].filter((name) => !isThere(name));
  if (gone?.length && disk.spoilt === 0) {
    now.violate('what is published is whole', `of version ${before?.version}: ${gone}`);
  }
}

export function checkOrder(
  now: Simulation,
  manifest: Manifest,
  before: Manifest | undefined,
): void {
  if (before && (manifest.version < before.version || manifest.seq < before.seq)) {
    now.violate('never an older version', `${manifest.version}`);
  }
}

/** Time after a swap within which a reader must serve the version. */
const FOLLOW_MS = 2 * POLL_MS;
/** After a longer pause than this, a reader may not have looked yet: the clock has jumped. */
const PAUSE_MS = 2000;

/**
 * Checks that a reader does not stay behind what was swapped in. Damage may hold it up.
 *
 * @param beforeMs Time of its look before.
 */
export function checkFollows(
  now: Simulation,
  { disk, swaps }: Place,
  served: Manifest | undefined,
  beforeMs: number,
): void {
  const untilMs = now.nowMs - FOLLOW_MS;
  if (disk.flips > 0 || now.nowMs - beforeMs > PAUSE_MS) return;
  const due = swaps.findLast(({ atMs }) => atMs < untilMs)?.manifest;
  if (!due || (served?.version ?? 0) >= due.version) return;
  now.violate('readers follow', `${served?.version} is served, ${due.version} is published`);
}

/** Checks the version of a reader, or all bytes again once a bit was flipped at rest. */
export function checkFresh(now: Simulation, place: Place, known: PublishedVersion): void {
  using fresh = place.disk.spoilt === 0 ? undefined : openPublished(place.paths.serving);
  checkVersion(now, fresh ?? known, place);
}

/** Compares all numbers of a version with the fold of its log. */
function checkVersion(now: Simulation, version: PublishedVersion, { disk, logOf }: Place): void {
  const { version: number, seq } = version.manifest;
  now.compared++;
  const wrong = differences(version, logOf(version));
  if (wrong.length === 0) return;
  const text = `${disk.name}: ${wrong} in version ${number}, seq ${seq}`;
  now.violate('numbers equal the fold', text);
}
