/**
 * A bit of a single read is flipped, as memory and cables do it, while the file is whole. A load
 * once ended with the advice to publish everything again.
 */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, expect, it } from 'vitest';
import { CorruptDataError } from '../../../../src/base/errors.ts';
import { readManifest } from '../../../../src/store/arrow/format/manifest.ts';
import { readStates, writeStates } from '../../../../src/store/arrow/format/state-file.ts';
import { readTable } from '../../../../src/store/arrow/format/table-file.ts';
import { QUOTE_TABLE } from '../../../../src/store/arrow/format/tables.ts';
import { EVERYTHING } from '../../../../src/store/arrow/lists/specs.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import {
  readServingStatus,
  servingStatus,
  writeServingStatus,
} from '../../../../src/store/arrow/read/serving-status.ts';
import { readFileSets, swapFileSets } from '../../../../src/store/parquet/file-sets.ts';
import { sharedFolder } from '../../../support/folders.ts';
import { publishLists, row } from '../support/list-fixture.ts';
import { publishBase, universeOf } from '../support/published-fixture.ts';

/** Reads to come whose middle byte is flipped. */
let flips = 0;

const flip = (bytes: Uint8Array) => {
  if (flips-- > 0) bytes[bytes.length >> 1] ^= 1;
};

// Files of tests share the modules of the program, so Node's own functions are replaced.
const { readSync, readFileSync } = fs;
fs.readSync = ((fd: number, target: Uint8Array, offset: number, length: number, at: number) => {
  const count = readSync(fd, target, offset, length, at);
  flip(target.subarray(offset, offset + length));
  return count;
}) as typeof readSync;
fs.readFileSync = ((path: string, encoding?: BufferEncoding) => {
  // It reads by the function above, which must not flip the bit back.
  const left = flips;
  flips = 0;
  const bytes = readFileSync(path);
  flips = left;
  flip(bytes);
  return encoding ? bytes.toString(encoding) : bytes;
}) as typeof readFileSync;
syncBuiltinESMExports();
afterAll(() => {
  Object.assign(fs, { readSync, readFileSync });
  syncBuiltinESMExports();
});

const folder = sharedFolder();
const manifest = await publishBase(folder, universeOf(2, 100), { currentYear: 2030 });
await writeServingStatus(folder, servingStatus(openPublished(folder)!));
const states = await writeStates(folder, 'states.f64', {
  symbols: Uint32Array.of(0, 1),
  rows: Float64Array.of(0.5, 0.25),
});
const lists = sharedFolder();
await publishLists(lists, 'news', { [EVERYTHING]: [row(1000, 'n1', { json: '"one"' })] });
await swapFileSets(folder, [{ version: 'v', createdMs: 1, inputs: {}, files: [] }]);

const READS: Record<string, () => () => unknown> = {
  manifest: () => () => readManifest(folder),
  table: () => () => [...readTable(folder, manifest.quotes, QUOTE_TABLE).price],
  states: () => () => readStates(folder, states),
  status: () => () => readServingStatus(folder),
  'sets of files': () => () => readFileSets(folder),
  bars: () => {
    const version = openPublished(folder)!;
    return () => version.bars('A1', '1d');
  },
  lists: () => {
    const version = openPublished(lists)!;
    return () => version.list('news', EVERYTHING).page(undefined, 1);
  },
};

it.each(Object.entries(READS))('a flipped read of %s is read again', (_, opened) => {
  const right = opened()();
  const read = opened();
  flips = 1;
  expect(read()).toEqual(right);
  expect(flips).toBeLessThan(0);
  const other = opened();
  flips = 2;
  expect(other).toThrow(CorruptDataError);
});
