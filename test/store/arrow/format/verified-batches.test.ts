import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CorruptDataError } from '../../../../src/base/errors.ts';
import { EVERYTHING } from '../../../../src/store/arrow/lists/specs.ts';
import { openServing } from '../../../../src/store/arrow/read/reader.ts';
import type { ServingReader, Snapshot } from '../../../../src/store/arrow/snapshot/snapshot.ts';
import { freshFolder } from '../../../support/folders.ts';
import { publishLists, row } from '../support/list-fixture.ts';
import { INDICATORS, publishBase, universeOf } from '../support/published-fixture.ts';

let dir: string;
let reader: ServingReader;

beforeEach(() => {
  dir = freshFolder();
});
afterEach(() => reader.close());

/** Flips a bit of the byte that `placeOf` finds. @returns what puts it right. */
function flipBit(name: string, placeOf: (bytes: Buffer) => number): () => void {
  const path = join(dir, name);
  const whole = readFileSync(path);
  const place = placeOf(whole);
  expect(place).toBeGreaterThan(0);
  const damaged = Buffer.from(whole);
  damaged[place] ^= 1;
  writeFileSync(path, damaged);
  return () => writeFileSync(path, whole);
}

/** Returns the place of a number in a file. */
const placeOf = (value: number) => (bytes: Buffer) =>
  bytes.indexOf(Buffer.from(Float64Array.of(value).buffer));

const NEWEST = { start: 95, end: 100 };

const READS: [name: string, file: string, read: (snapshot: Snapshot) => Float64Array][] = [
  ['bars', 'candles-1d-closed-00000001.arrow', (s) => s.bars('A1', '1d', NEWEST).close],
  ['whole series', 'candles-1d-closed-00000001.arrow', (s) => s.bars('A1', '1d').close],
  [
    'indicators',
    'indicators-1d-closed-00000001.arrow',
    (s) => s.indicators('A1', '1d', INDICATORS, NEWEST)[1],
  ],
];

describe('damage in a published file', () => {
  it.each(READS)('is found at the first read of %s', async (_, file, read) => {
    await publishBase(dir, universeOf(2, 100), { currentYear: 2030 });
    reader = openServing(dir);
    const right = read(reader.current());
    reader.close();
    reader = openServing(dir, { pollMs: 5 });
    const snapshot = reader.current();
    const mend = flipBit(file, placeOf(right[right.length - 1]));
    for (let i = 0; i < 2; i++) {
      expect(() => read(snapshot)).toThrow(CorruptDataError);
      expect(reader.damage()).toBeInstanceOf(CorruptDataError);
    }
    // A read that matches the checksum again clears the damage.
    mend();
    expect(read(snapshot)).toEqual(right);
    expect(reader.damage()).toBeUndefined();
  });

  it('is found in the texts of lists at their first read', async () => {
    const rows = [row(2000, 'n1', { json: '"one"' }), row(1000, 'n2', { json: '"two"' })];
    const { manifest } = await publishLists(dir, 'news', { [EVERYTHING]: rows });
    reader = openServing(dir);
    const list = () => reader.current().list('news', EVERYTHING).page(undefined, 1);
    flipBit(manifest.lists!.layers.news[0].rows.name, (bytes) => bytes.indexOf('two'));
    expect(list).toThrow(CorruptDataError);
    expect(reader.damage()).toBeInstanceOf(CorruptDataError);
  });

  it('is over with a newer version that is whole', async () => {
    await publishBase(dir, universeOf(2, 100), { currentYear: 2030 });
    reader = openServing(dir, { pollMs: 1 });
    const before = reader.current();
    const [first] = universeOf(2, 100).A1['1d'].bars.close;
    flipBit('candles-1d-closed-00000001.arrow', placeOf(first));
    expect(() => before.bars('A1', '1d')).toThrow(CorruptDataError);
    expect(reader.damage()).toBeInstanceOf(CorruptDataError);
    await publishBase(dir, universeOf(2, 100), { currentYear: 2030 });
    while (reader.current() === before) await delay(2);
    expect(reader.damage()).toBeUndefined();
    expect(reader.current().bars('A1', '1d').close[0]).toBe(first);
    expect(reader.damage()).toBeUndefined();
  });
});
