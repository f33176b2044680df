/**
 * Objects in the storage that name others: `manifest.json` and `parquet.json`, JSON after its hash.
 * A swap replaces them; all other objects are immutable.
 */

import { z } from 'zod';
import { CorruptDataError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { contentOfHashed, hashedText } from '../../store/objects/hashed-text.ts';
import { bytesOf, type ObjectStore } from '../../store/objects/object-store.ts';

export const fileSchema = z.object({
  name: z.string().regex(/^[\w-][\w.-]*$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Time at which it was published, which shows how old its dataset is. */
  modifiedMs: z.number(),
});

/** Object that nothing needs any more, with the time since when. */
export const retiredSchema = z.object({ object: z.string(), sinceMs: z.number() });

export type SharedFile = z.infer<typeof fileSchema>;

/** Object as it was read, with its ETag. */
export interface Seen<T> {
  etag: string;
  text: string;
  shared: T;
}

/** Returns names of objects for files. They have the hash, so two contents never share an object. */
export function objectsBelow(prefix: string) {
  return ({ name, sha256 }: Pick<SharedFile, 'name' | 'sha256'>): string =>
    `${prefix}${name}.${sha256.slice(0, 16)}`;
}

export function textFromShared(shared: object): string {
  return hashedText(JSON.stringify(shared));
}

/**
 * Returns a function that reads an object; undefined if there is none. `unless` is the ETag of a
 * known one. It throws a CorruptDataError if the text is damaged, or of a newer program.
 */
export function readerOf<T>(key: string, schema: z.ZodType<T>) {
  function read(
    objects: ObjectStore,
    options?: { unless?: never; signal?: AbortSignal },
  ): Promise<Seen<T> | undefined>;
  function read(
    objects: ObjectStore,
    options: { unless: string | undefined; signal?: AbortSignal },
  ): Promise<Seen<T> | 'unchanged' | undefined>;
  async function read(
    objects: ObjectStore,
    { unless, signal }: { unless?: string; signal?: AbortSignal } = {},
  ): Promise<Seen<T> | 'unchanged' | undefined> {
    const bytesMax = limits.replicas.manifestBytesMax;
    const found = await objects.get(key, { unless, bytesMax, signal });
    if (found === undefined || found === 'unchanged') return found;
    const title = objects.addressOf(key);
    const text = (await bytesOf(found, bytesMax, title)).toString('utf8');
    const content = contentOfHashed(text);
    if (content === undefined) {
      throw new CorruptDataError(`"${title}" does not match its checksum`);
    }
    const parsed = schema.safeParse(JSON.parse(content));
    if (parsed.success) return { etag: found.etag, text, shared: parsed.data };
    const [{ path, message }] = parsed.error.issues;
    throw new CorruptDataError(
      `"${title}" can't be used by this version of Tapeworks: ${path.join('.')}: ${message}`,
    );
  }
  return read;
}
