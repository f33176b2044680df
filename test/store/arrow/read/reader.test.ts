import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CorruptDataError } from '../../../../src/base/errors.ts';
import { limits } from '../../../../src/base/limits.ts';
import { MANIFEST_NAME, readManifest } from '../../../../src/store/arrow/format/manifest.ts';
import { openPublished, openServing } from '../../../../src/store/arrow/read/reader.ts';
import type { ServingReader } from '../../../../src/store/arrow/snapshot/snapshot.ts';
import { isLong, scaled } from '../../../faults/scale.ts';
import { freshFolder } from '../../../support/folders.ts';
import { contentOf, INDICATORS, publishBase, universeOf } from '../support/published-fixture.ts';

/** Distance between bytes whose damage is tried. */
const STRIDE = scaled(101, 37);

let dir: string;
let reader: ServingReader | undefined;

beforeEach(() => {
  dir = freshFolder();
});
afterEach(() => {
  vi.restoreAllMocks();
  reader?.close();
  reader = undefined;
});

/** Waits for a poll to show a version other than `id`; the test's timeout is the bound. */
async function nextSnapshot(id: string) {
  while (reader!.current().id === id) await delay(2);
  return reader!.current();
}

function flipByte(name: string, offset: number): void {
  const path = join(dir, name);
  const byte = readFileSync(path)[offset] ^ 1;
  const fd = openSync(path, 'r+');
  writeSync(fd, Uint8Array.of(byte), 0, 1, offset);
  closeSync(fd);
}

function open(onError?: (error: Error) => void): ServingReader {
  reader = openServing(dir, { pollMs: 1, onError });
  return reader;
}

describe('openServing', () => {
  it('returns screeners of replaced versions, however many are walked, and caches a few', async () => {
    await publishBase(dir, universeOf(1, 3, 0));
    const ids = [open().current().id];
    const count = 2 * limits.serving.recentScreenersMax;
    for (let seed = 1; seed <= count; seed++) {
      await publishBase(dir, universeOf(1, 3, seed));
      ids.push((await nextSnapshot(ids[seed - 1])).id);
    }
    const priceOf = (id: string) => reader!.screenerOf(id)?.columns.price[0];
    const prices = ids.map((_, seed) => universeOf(1, 3, seed).A0['1d'].bars.close[2]);
    expect(ids.map(priceOf)).toEqual(prices);
    expect(ids.map(priceOf)).toEqual(prices);
    const last = reader!.screenerOf(ids[count - 1]);
    const first = reader!.screenerOf(ids[0]);
    expect(reader!.screenerOf(ids[count - 1])).toBe(last);
    for (const id of ids.slice(1, count)) reader!.screenerOf(id);
    expect(reader!.screenerOf(ids[0])).not.toBe(first);
  });

  it('is empty while nothing is published, also without the folder', async () => {
    rmSync(dir, { recursive: true });
    const snapshot = open().current();
    expect(reader!.state()).toBe('empty');
    expect(snapshot.symbols).toEqual([]);
    expect(snapshot.bars('A0', '1d').close).toHaveLength(0);
    expect(snapshot.indicators('A0', '1d', ['sma'])).toEqual([new Float64Array(0)]);
  });

  it('sees the first publish and every later one without being opened again', async () => {
    const { id } = open().current();
    await publishBase(dir, universeOf(2, 10));
    const first = await nextSnapshot(id);
    expect(reader!.state()).toBe('ready');
    await publishBase(dir, universeOf(3, 10));
    const second = await nextSnapshot(first.id);
    expect([first.symbols.length, second.symbols.length]).toEqual([2, 3]);
  });

  it('keeps a snapshot readable after its files are gone from the folder', async () => {
    await publishBase(dir, universeOf(2, 100));
    const first = open().current();
    const before = contentOf(first);
    const files = readdirSync(dir);
    await publishBase(dir, universeOf(2, 100, 5));
    await publishBase(dir, universeOf(2, 100, 9));
    expect(readdirSync(dir)).not.toEqual(expect.arrayContaining(files.slice(0, 3)));
    await nextSnapshot(first.id);
    expect(contentOf(first)).toEqual(before);
  });

  it('follows a folder that is deleted and filled again, even with the same file names', async () => {
    await publishBase(dir, universeOf(2, 100));
    const first = open().current();
    const before = contentOf(first);
    rmSync(dir, { recursive: true });
    await publishBase(dir, universeOf(2, 100, 5), { seq: 3 });
    const bars = () => reader!.current().bars('A0', '1d').close[0];
    while (bars() !== 5000.4) await delay(2);
    expect(contentOf(reader!.current())).toEqual(contentOf(openPublished(dir)!));
    expect(contentOf(first)).toEqual(before);
  });

  const isLinux = process.platform === 'linux';
  it.skipIf(!isLong || !isLinux)('closes the files of snapshots that nobody holds', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const descriptors = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(dir);
        } catch {
          return false;
        }
      }).length;
    await publishBase(dir, universeOf(2, 100));
    let { id } = open().current();
    const atFirst = descriptors();
    expect(atFirst).toBeGreaterThan(0);
    for (let i = 0; i < 5; i++) {
      await publishBase(dir, universeOf(2, 100));
      ({ id } = await nextSnapshot(id));
    }
    expect(descriptors()).toBeGreaterThan(atFirst);
    while (descriptors() > atFirst) {
      collectGarbage();
      await new Promise(setImmediate);
    }
    reader!.close();
    expect(descriptors()).toBe(0);
  });
});

describe('damage', () => {
  it('in a batch is found at its first read, and other series stay readable', async () => {
    await publishBase(dir, universeOf(2, 100), { currentYear: 2030 });
    const bytes = readFileSync(join(dir, 'candles-1d-closed-00000001.arrow'));
    const close = Buffer.from(new Float64Array([2000.4]).buffer);
    flipByte('candles-1d-closed-00000001.arrow', bytes.indexOf(close) + 3);
    const snapshot = open().current();
    expect(() => snapshot.bars('A1', '1d')).toThrow(CorruptDataError);
    expect(() => snapshot.bars('A1', '1d')).toThrow(
      /batch 1 of ".*candles-1d-closed-00000001.arrow" does not match its checksum/,
    );
    expect(snapshot.bars('A0', '1d').close[0]).toBe(1000.4);
    expect(snapshot.indicators('A1', '1d', INDICATORS)[0]).toHaveLength(100);
  });

  it('in any table or the manifest, and a file of another length, is found at opening', async () => {
    const damages: [string, (name: string) => void][] = [
      ['symbols-00000001.arrow', (name) => flipByte(name, 1250)],
      ['actions-00000001.arrow', (name) => flipByte(name, 1200)],
      ['quotes-00000001.arrow', (name) => flipByte(name, 2500)],
      ['index-00000001.arrow', (name) => flipByte(name, 1300)],
      ['batches-00000001.arrow', (name) => flipByte(name, 1500)],
      ['candles-1w-closed-00000001.arrow', (name) => truncateSync(join(dir, name), 100)],
      ['indicators-1w-closed-00000001.arrow', (name) => appendFileSync(join(dir, name), 'x')],
      ['indicators-1d-closed-00000001.arrow', (name) => unlinkSync(join(dir, name))],
      [MANIFEST_NAME, (name) => flipByte(name, 40)],
      [MANIFEST_NAME, (name) => writeFileSync(join(dir, name), '{"format":1')],
    ];
    for (const [name, damage] of damages) {
      rmSync(dir, { recursive: true });
      await publishBase(dir, universeOf(2, 100), { currentYear: 2030 });
      damage(name);
      const reports: Error[] = [];
      const damaged = openServing(dir, { onError: (error) => reports.push(error) });
      expect(damaged.state(), name).toBe('damaged');
      expect(() => damaged.current(), name).toThrow(CorruptDataError);
      expect(reports, name).toHaveLength(1);
      damaged.close();
    }
  });

  it('of a newer version is reported, and the reader keeps the older one', async () => {
    await publishBase(dir, universeOf(2, 100));
    const errors: Error[] = [];
    const { id } = open((error) => errors.push(error)).current();
    await publishBase(join(dir, 'new'), universeOf(3, 100));
    await publishBase(join(dir, 'new'), universeOf(3, 100));
    writeFileSync(
      join(dir, MANIFEST_NAME),
      readFileSync(join(dir, 'new', MANIFEST_NAME)).subarray(0, 500),
    );
    while (errors.length === 0) await delay(2);
    expect(errors[0]).toBeInstanceOf(CorruptDataError);
    expect(reader!.damage()).toBe(errors[0]);
    expect(reader!.current().id).toBe(id);
    expect(reader!.current().bars('A1', '1d').close).toHaveLength(100);
  });

  it('that passes is noticed without a further publish, and reported once', async () => {
    const errors: Error[] = [];
    let look = () => {};
    const watch = (toLook: () => void) => {
      look = toLook;
      return () => {};
    };
    reader = openServing(dir, { watch, onError: (error) => errors.push(error) });
    await publishBase(dir, universeOf(2, 100));
    const { symbols } = readManifest(dir)!;
    const path = join(dir, symbols.name);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(1));
    look();
    while (errors.length === 0) await delay(2);
    expect(reader.state()).toBe('damaged');
    writeFileSync(path, whole);
    const nowMs = performance.now();
    look();
    vi.spyOn(performance, 'now').mockReturnValue(nowMs + limits.serving.retryMs + 1);
    look();
    while (reader.state() !== 'ready') await delay(2);
    expect(errors).toHaveLength(1);
  });

  it('of any single byte is found or harmless', async () => {
    await publishBase(dir, universeOf(2, 12), { currentYear: 2030 });
    const names = readdirSync(dir);
    const content = contentOf(openPublished(dir)!);
    let found = 0;
    for (const name of names) {
      const { length } = readFileSync(join(dir, name));
      for (let offset = 0; offset < length; offset += STRIDE) {
        flipByte(name, offset);
        try {
          // A wrong number would show here; schema and footer are for other readers.
          expect(contentOf(openPublished(dir)!)).toEqual(content);
        } catch (error) {
          if (!(error instanceof CorruptDataError)) throw error;
          found++;
        }
        flipByte(name, offset);
      }
    }
    expect(found).toBeGreaterThan(3700 / STRIDE);
    expect(readManifest(dir)?.version).toBe(1);
  });
});
