import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { SecretKeyError } from '../../../../src/base/errors.ts';
import {
  readKeyFile,
  readOrMakeKeyFile,
} from '../../../../src/store/accounts/webhooks/key-file.ts';
import { freshFolder } from '../../../support/folders.ts';

const MODULE = fileURLToPath(
  new URL('../../../../src/store/accounts/webhooks/key-file.ts', import.meta.url),
);

let folder: string;
let path: string;

beforeEach(() => {
  folder = freshFolder();
  path = join(folder, 'webhook.key');
});

it('is the same for all processes that need it first at once', async () => {
  const script = `import { readOrMakeKeyFile } from ${JSON.stringify(MODULE)};
                  console.log(readOrMakeKeyFile(process.argv[1]).toString('base64'));`;
  const run = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, path]);
  const keys = (await Promise.all([run(), run(), run()])).map(({ stdout }) => stdout);
  expect(new Set(keys).size).toBe(1);
  expect(readFileSync(path, 'utf8')).toBe(keys[0]);
  expect(readdirSync(folder)).toEqual(['webhook.key']);
});

it('has 32 bytes that differ from file to file', () => {
  const key = readOrMakeKeyFile(path);
  expect(key).toHaveLength(32);
  expect(readKeyFile(path)).toEqual(key);
  expect(readOrMakeKeyFile(join(folder, 'other.key'))).not.toEqual(key);
});

it('is missed by name, never by its folder', () => {
  expect(() => readKeyFile(path)).toThrow(SecretKeyError);
  expect(() => readKeyFile(path)).toThrow(/^webhook\.key in the data directory is missing/);
  expect(() => readKeyFile(folder)).toThrow(/cannot be read \(EISDIR\)/);
});
