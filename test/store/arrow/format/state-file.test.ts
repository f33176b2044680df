import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CorruptDataError } from '../../../../src/base/errors.ts';
import { readStates, writeStates } from '../../../../src/store/arrow/format/state-file.ts';
import { freshFolder } from '../../../support/folders.ts';

it('reads back symbols and rows, and rejects changed bytes', async () => {
  const path = freshFolder();
  for (const symbols of [[], [3], [0, 7], [1, 2, 90_000]]) {
    const states = {
      symbols: Uint32Array.from(symbols),
      rows: Float64Array.from({ length: 2 * symbols.length }, (_, i) => (i ? 1 / i : Number.NaN)),
    };
    const ref = await writeStates(path, 'states.f64', states);
    expect(readStates(path, ref)).toEqual(states);
    const bytes = readFileSync(join(path, 'states.f64'));
    expect(bytes.length).toBe(ref.bytes);
    if (bytes.length === 0) continue;
    bytes[bytes.length - 1] ^= 1;
    writeFileSync(join(path, 'states.f64'), bytes);
    expect(() => readStates(path, ref)).toThrow(CorruptDataError);
  }
});
