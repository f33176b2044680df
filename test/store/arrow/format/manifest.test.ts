import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import {
  MANIFEST_NAME,
  manifestFromText,
  readManifest,
  textFromManifest,
} from '../../../../src/store/arrow/format/manifest.ts';
import { freshFolder } from '../../../support/folders.ts';
import { publishBase, universeOf } from '../support/published-fixture.ts';

let bytes: Buffer;

beforeEach(async () => {
  const dir = freshFolder();
  for (let seed = 0; seed < 2; seed++) await publishBase(dir, universeOf(2, 3, seed));
  bytes = readFileSync(join(dir, MANIFEST_NAME));
  expect(readManifest(dir)).toEqual(manifestFromText(bytes.toString()));
});

it('is JSON with its checksum as the last field', () => {
  const text = bytes.toString();
  const { crc32, ...fields } = JSON.parse(text);
  expect(fields.recent).toHaveLength(1);
  expect(manifestFromText(text)).toEqual(fields);
  expect(textFromManifest(fields)).toBe(text);
  expect(text.endsWith(`,"crc32":${crc32}}`)).toBe(true);
});

it('is rejected if any byte changed', () => {
  const isBelieved = (changed: Buffer) => {
    try {
      return manifestFromText(changed.toString()) !== undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return false;
      throw error;
    }
  };
  expect(isBelieved(bytes)).toBe(true);
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] ^= 1;
    expect(isBelieved(changed), `byte ${at}`).toBe(false);
  }
});
