/**
 * Tries whether object storage really does conditional writes, which keep publishers apart. An object
 * that a killed trial leaves is below the prefix that uploads sweep.
 */

import { limits } from '../../base/limits.ts';
import { randomUUID } from '../../base/world/chance.ts';
import { contentOfBytes } from '../../store/objects/content.ts';
import {
  bytesOf,
  type ObjectStore,
  ObjectStoreError,
  type WriteCondition,
} from '../../store/objects/object-store.ts';
import { FILES_PREFIX } from './shared-manifest.ts';

const BYTES_MAX = 1024;

/** A kind of conditional write that writers try at the same time. */
interface Race {
  title: string;
  /** Replaces an object, instead of making one. */
  isSwap?: boolean;
  inParts?: boolean;
}

const RACES: readonly Race[] = [
  { title: 'If-None-Match' },
  { title: 'If-Match', isSwap: true },
  { title: 'If-None-Match at the end of an upload in parts', inParts: true },
];

/** @throws {ObjectStoreError} A condition is ignored, or a request fails. */
export async function requireConditionalWrites(
  objects: ObjectStore,
  signal?: AbortSignal,
): Promise<void> {
  const key = `${FILES_PREFIX}trial-${randomUUID()}`;
  const content = (text: string) => contentOfBytes(Buffer.from(text));
  const ignores = (condition: string) =>
    new ObjectStoreError(
      `"${objects.addressOf(key)}": the object storage ignores ${condition}, so two publishers ` +
        'could replace each other; use a store with conditional writes',
    );
  const put = (text: string, condition: 'absent' | { etag: string }) =>
    objects.put(key, content(text), { condition, signal });
  try {
    const first = await put('1', 'absent');
    if (first === undefined) throw ignores('that an object is missing');
    if ((await put('2', 'absent')) !== undefined) throw ignores('If-None-Match');
    const second = await put('3', { etag: first });
    if (second === undefined) throw ignores('a matching If-Match');
    if ((await put('4', { etag: first })) !== undefined) throw ignores('If-Match');
    const stored = await objects.get(key, { signal });
    if (stored === undefined || stored === 'unchanged') throw ignores('that it has an object');
    const text = (await bytesOf(stored, BYTES_MAX, objects.addressOf(key))).toString();
    if (text !== '3' || stored.etag !== second) throw ignores('its own last write');
  } finally {
    await objects.delete(key).catch(() => undefined);
  }
  if ((await put('5', { etag: 'gone' })) === undefined) return;
  await objects.delete(key);
  throw ignores('If-Match for a missing object');
}

/**
 * Tries several writers at once, since a store may compare a condition and write in two steps.
 *
 * @returns a fault that is harmless; undefined without one. Objects in parts are named by their
 *   content, so two writers of one write the same.
 * @throws {ObjectStoreError} It admits more than one writer, or a request fails.
 */
export async function tryRaces(objects: ObjectStore): Promise<string | undefined> {
  const { raceRounds, raceWriters } = limits.objects;
  for (const race of RACES) {
    for (let round = 0; round < raceRounds; round++) {
      const winners = await winnersOf(objects, race);
      if (winners <= 1) continue;
      const fault = `it admits ${winners} of ${raceWriters} simultaneous writers with ${race.title}`;
      if (race.inParts) return fault;
      throw new ObjectStoreError(
        `"${objects.addressOf('')}": ${fault}, so two publishers could replace each other; use an ` +
          'object storage whose conditional writes are atomic',
      );
    }
  }
  return undefined;
}

async function winnersOf(objects: ObjectStore, { isSwap, inParts }: Race): Promise<number> {
  const { raceWriters } = limits.objects;
  const key = `${FILES_PREFIX}trial-${randomUUID()}`;
  const put = (text: string, condition: WriteCondition) =>
    objects.put(key, contentOfBytes(Buffer.from(text)), { condition, inParts });
  try {
    const etag = isSwap ? await put('first', 'absent') : undefined;
    const condition = etag === undefined ? 'absent' : { etag };
    const writes = Array.from({ length: raceWriters }, (_, i) => put(`${i}`, condition));
    const ended = await Promise.allSettled(writes);
    const won = ended.filter((one) => one.status === 'fulfilled' && one.value !== undefined);
    const failed = ended.find((one) => one.status === 'rejected');
    // A busy store may refuse some of them.
    if (won.length === 0 && failed) throw failed.reason;
    return won.length;
  } finally {
    await objects.delete(key).catch(() => undefined);
  }
}
