import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { MANIFEST_NAME, readManifest } from '../../../../src/store/arrow/format/manifest.ts';
import {
  manifestFromText,
  recentVersionOf,
  textFromManifest,
} from '../../../../src/store/arrow/format/manifest-text.ts';
import { freshFolder } from '../../../support/folders.ts';
import { publishBase, universeOf } from '../support/published-fixture.ts';

let dir: string;

beforeEach(async () => {
  dir = freshFolder();
  for (let seed = 0; seed < 4; seed++) await publishBase(dir, universeOf(2, 3, seed));
});

it('finds each recent version as in the parsed list', () => {
  const manifest = readManifest(dir)!;
  const { recent } = readManifest(dir)!;
  expect(recent).toHaveLength(3);
  expect(recent.map(({ id }) => recentVersionOf(manifest, id))).toEqual(recent);
  const built = { ...manifest };
  expect(recent.map(({ id }) => recentVersionOf(built, id))).toEqual(recent);
  for (const id of ['nobody', '', '"', recent[0].id.slice(0, -1)]) {
    expect(recentVersionOf(manifest, id)).toBeUndefined();
  }
});

it('is JSON with its checksum as the last field', () => {
  const text = readFileSync(join(dir, MANIFEST_NAME), 'utf8');
  const { crc32, ...fields } = JSON.parse(text);
  expect(readManifest(dir)).toEqual(fields);
  expect(textFromManifest(fields)).toBe(text);
  expect(text.endsWith(`,"crc32":${crc32}}`)).toBe(true);
});

it('is rejected if any byte changed, even in parts that are not parsed', () => {
  const bytes = readFileSync(join(dir, MANIFEST_NAME));
  const isBelieved = (changed: Buffer) => {
    try {
      return manifestFromText(changed) !== undefined;
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
