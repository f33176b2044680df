/** Tries whether object storage really does conditional writes, which keep publishers apart. */

import { randomUUID } from 'node:crypto';
import { contentOfBytes } from '../objects/content.ts';
import { bytesOf, type ObjectStore, ObjectStoreError } from '../objects/object-store.ts';

const BYTES_MAX = 1024;

/** @throws {ObjectStoreError} A condition is ignored, or a request fails. */
export async function requireConditionalWrites(
  objects: ObjectStore,
  signal?: AbortSignal,
): Promise<void> {
  const key = `trial-${randomUUID()}`;
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
