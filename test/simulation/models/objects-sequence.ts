/** A random sequence of reads and writes of objects, and what each step returns. */

import { contentOfBytes } from '../../../src/store/objects/content.ts';
import { bytesOf, type ObjectStore } from '../../../src/store/objects/object-store.ts';
import { Random } from '../random.ts';

const KEYS = ['a', 'a-b', 'ab', 'b/a', 'b/a.bin', 'z/1', 'z/10', 'z/2'];

/** ETags are told by the number of their write, as each kind of storage has its own. */
export async function runObjects(
  seed: number,
  steps: number,
  store: ObjectStore,
): Promise<string[]> {
  const random = new Random(seed, 'objects');
  const etags: string[] = [];
  const key = () => random.pick(KEYS);
  const numberOf = (etag: string | undefined) => {
    if (etag === undefined) return 'refused';
    if (!etags.includes(etag)) etags.push(etag);
    return etags.indexOf(etag);
  };
  const work: Record<string, () => Promise<unknown>> = {
    put: async () => numberOf(await store.put(key(), content())),
    create: async () => numberOf(await store.put(key(), content(), { condition: 'absent' })),
    swap: async () => {
      if (etags.length === 0) return undefined;
      const condition = { etag: random.pick(etags) };
      return numberOf(await store.put(key(), content(), { condition }));
    },
    get: async () => {
      const found = await store.get(key(), { start: random.below(3) });
      if (found === undefined || found === 'unchanged') return found;
      const text = String(await bytesOf(found, 100, 'it'));
      return [found.bytes, numberOf(found.etag), text];
    },
    look: async () => {
      const unless = etags.length > 0 ? random.pick(etags) : undefined;
      const found = await store.get(key(), { unless });
      if (found === undefined || found === 'unchanged') return found;
      for await (const _ of found.body);
      return numberOf(found.etag);
    },
    list: async () => {
      const listed = await Array.fromAsync(store.list(random.pick(['', 'a', 'b/', 'z/1', 'none'])));
      return listed.map((one) => [one.key, one.bytes]).sort();
    },
    delete: () => store.delete(key()),
  };
  // The same bytes have the same ETag in some storages, so no two are equal.
  let written = 0;
  const content = () => contentOfBytes(Buffer.from(`content ${++written}`));
  const told: string[] = [];
  for (let step = 0; step < steps; step++) {
    const name = random.pick(Object.keys(work));
    const said = await work[name]().catch((error: Error) => `fails: ${error.constructor.name}`);
    told.push(`${step} ${name} ${JSON.stringify(said ?? null)}`);
  }
  return told;
}
