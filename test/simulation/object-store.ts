/**
 * Object storage of a night. Its writes are atomic and conditional writes admit one writer; requests
 * are slow, refused, cut short or answered wrongly, a reply is lost, a list comes late.
 */

import { createHash } from 'node:crypto';
import { limits } from '../../src/base/limits.ts';
import { objectOf } from '../../src/fleet/replicas/shared-manifest.ts';
import type { SharedFile } from '../../src/fleet/replicas/shared-object.ts';
import { parquetObject } from '../../src/fleet/replicas/shared-sets.ts';
import {
  type GetOptions,
  type ListedObject,
  type ObjectContent,
  type ObjectStore,
  ObjectStoreError,
  type PutOptions,
  type StoredObject,
} from '../../src/store/objects/object-store.ts';
import { Random } from './random.ts';
import { JUMP_MS, simulation } from './simulation.ts';

/** Time of a usual request and of a slow one, in simulated milliseconds. */
const REQUEST_MS = 5;
const SLOW_MS = 4000;

/** Age from which a late list has an object. */
const LATE_MS = 20_000;

/** Pieces of a body; small, so that a process dies between them. */
const PIECE_BYTES = 16 * 1024;

interface Kept {
  bytes: Buffer;
  etag: string;
  modifiedMs: number;
}

/** Objects by key, below the prefix of each place; `before` has what an object replaced. */
export class Bucket {
  readonly objects = new Map<string, Kept>();
  readonly before = new Map<string, Kept>();
  /** Wrong bodies that were the last ones of a key. */
  readonly flips = new Map<string, number>();
  /** Time until which the objects of a replaced manifest must stay, for replicas that are slow. */
  readonly #keptUntilMs = new Map<string, number>();
  #writes = 0;

  write(key: string, bytes: Buffer): string {
    const known = this.objects.get(key);
    if (known) {
      this.before.set(key, known);
      // A machine that sleeps in a request has retired them before.
      const untilMs = (contentOf(key, bytes).uploadedMs ?? 0) + limits.replicas.keptMs;
      for (const name of namedBy(key, known)) this.#keptUntilMs.set(name, untilMs);
    }
    const sum = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const etag = `${sum}-${++this.#writes}`;
    this.objects.set(key, { bytes, etag, modifiedMs: Math.floor(simulation().nowMs) });
    return etag;
  }

  /** Returns what follows a prefix in keys. */
  keysBelow(prefix: string): string[] {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix));
    return keys.map((key) => key.slice(prefix.length));
  }

  /** Flips a bit of an object below a prefix where it is kept. */
  flipBit(random: Random, prefix: string): void {
    const key = random.pick(this.keysBelow(prefix));
    if (key !== undefined) flipIn(this.objects.get(prefix + key)!.bytes, random);
  }

  remove(key: string): void {
    const now = simulation();
    const manifests = [...this.objects].filter(([other]) => MANIFEST.test(other));
    if (manifests.some(([name, kept]) => namedBy(name, kept).includes(key))) {
      now.violate('what is shared is there', `${key} is removed`);
    }
    // The clocks of publishers decide when the time is over.
    const jumpedMs = JUMP_MS * (now.faults.counts.get('clock jump') ?? 0);
    if (now.nowMs < (this.#keptUntilMs.get(key) ?? 0) - 2 * jumpedMs) {
      now.violate('what is shared is there', `${key} is removed under slow replicas`);
    }
    this.objects.delete(key);
  }
}

/** Returns the objects that a manifest in the storage names. */
function namedBy(key: string, { bytes }: Kept): string[] {
  const nameOf = key.endsWith('/manifest.json') ? objectOf : parquetObject;
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  return (contentOf(key, bytes).files ?? []).map((file) => folder + nameOf(file));
}

const MANIFEST = /\/(manifest|parquet)\.json$/;

/** Returns the content of a manifest; nothing for other objects. */
function contentOf(key: string, bytes: Buffer): { uploadedMs?: number; files?: SharedFile[] } {
  if (!MANIFEST.test(key)) return {};
  const text = String(bytes);
  return JSON.parse(text.slice(text.indexOf('\n') + 1));
}

let bucket = new Bucket();

export function newBucket(): Bucket {
  bucket = new Bucket();
  return bucket;
}

/** Stands in for the function of the program of this name. */
export async function openObjects(place: { folder: string }): Promise<ObjectStore> {
  return new SimulatedObjects(`${place.folder}/`);
}

class SimulatedObjects implements ObjectStore {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  addressOf(key: string): string {
    return this.#prefix + key;
  }

  async get(
    key: string,
    { start = 0, unless }: GetOptions = {},
  ): Promise<StoredObject | 'unchanged' | undefined> {
    await this.#request(`get ${key}`);
    const name = this.#prefix + key;
    const older = bucket.before.get(name);
    const kept = older && simulation().happens('old object') ? older : bucket.objects.get(name);
    if (!kept) return undefined;
    if (kept.etag === unless) return 'unchanged';
    return {
      bytes: kept.bytes.length,
      etag: kept.etag,
      body: body(name, kept.bytes.subarray(start)),
    };
  }

  async put(
    key: string,
    content: ObjectContent,
    { condition }: PutOptions = {},
  ): Promise<string | undefined> {
    const pieces: Uint8Array[] = [];
    for await (const piece of content.read()) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    await this.#request(`put ${key}`);
    if (createHash('sha256').update(bytes).digest('hex') !== content.sha256) {
      const reason = `the content of "${key}" changed while it was written`;
      throw new ObjectStoreError(reason, { isOfContent: true });
    }
    const name = this.#prefix + key;
    const etag = bucket.objects.get(name)?.etag;
    const isMet =
      condition === undefined ||
      (condition === 'absent' ? etag === undefined : etag === condition.etag);
    const written = isMet ? bucket.write(name, bytes) : undefined;
    if (simulation().happens('lost reply')) {
      throw new ObjectStoreError(`no reply to the write of "${key}"`, {
        isPassing: true,
        isUnknown: condition !== undefined,
      });
    }
    await simulation().turn(`reply to put ${key}`, REQUEST_MS);
    return written;
  }

  async *list(prefix: string): AsyncIterable<ListedObject> {
    await this.#request(`list ${prefix}`);
    const now = simulation();
    const isLate = now.happens('late list');
    for (const [name, { bytes, modifiedMs }] of [...bucket.objects].sort()) {
      if (!name.startsWith(this.#prefix + prefix)) continue;
      if (isLate && modifiedMs > now.nowMs - LATE_MS) continue;
      yield { key: name.slice(this.#prefix.length), bytes: bytes.length, modifiedMs };
    }
  }

  async delete(key: string): Promise<void> {
    await this.#request(`delete ${key}`);
    bucket.remove(this.#prefix + key);
    if (simulation().happens('lost reply')) {
      throw new ObjectStoreError(`no reply to the removal of "${key}"`, { isPassing: true });
    }
  }

  async close(): Promise<void> {}

  async #request(what: string): Promise<void> {
    const now = simulation();
    await now.turn(what, now.happens('slow response') ? SLOW_MS : REQUEST_MS);
    now.mayDie();
    if (!now.happens('refused request')) return;
    throw new ObjectStoreError(`503 for ${what}`, { isPassing: true });
  }
}

function flipIn(bytes: Uint8Array, random: Random): void {
  bytes[random.below(bytes.length)] ^= 1 << random.below(8);
}

async function* body(key: string, kept: Buffer): AsyncIterable<Uint8Array> {
  const now = simulation();
  const isCut = now.happens('cut body');
  let bytes = kept;
  const flips = bucket.flips.get(key) ?? 0;
  // A wrong bit of a response is not in the object, so that another try is right.
  if (flips + 1 < limits.objects.downloadTriesMax && now.happens('flipped body')) {
    bucket.flips.set(key, flips + 1);
    bytes = Buffer.from(kept);
    // No draw of others moves.
    flipIn(bytes, new Random(now.seed, `flipped body ${now.faults.counts.get('flipped body')}`));
  }
  if (bytes === kept) bucket.flips.delete(key);
  const end = isCut ? Math.floor(bytes.length / 2) : bytes.length;
  for (let at = 0; at < end; at += PIECE_BYTES) {
    const piece = Buffer.from(bytes.subarray(at, Math.min(end, at + PIECE_BYTES)));
    yield piece;
    await now.turn('receive');
  }
  if (isCut) throw new ObjectStoreError('the transfer was cut short', { isPassing: true });
}
