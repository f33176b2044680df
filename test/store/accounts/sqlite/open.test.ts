import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { CorruptDataError } from '../../../../src/base/errors.ts';
import { openAccounts } from '../../../../src/store/accounts/admission/sqlite-accounts.ts';
import { hashFromRawKey } from '../../../../src/store/accounts/keys/raw-key.ts';
import { checkAccountsFile } from '../../../../src/store/accounts/sqlite/check.ts';
import { freshFolder } from '../../../support/folders.ts';

let path: string;
beforeEach(() => {
  path = join(freshFolder(), 'accounts.sqlite');
});

/** Writes a file with one key. */
async function writeAccounts(): Promise<string> {
  const accounts = openAccounts(path);
  const { rawKey } = await accounts.createKey({
    mode: 'live',
    label: 'k',
    scopes: ['quotes:read'],
  });
  await accounts.close();
  return rawKey;
}

/** Replaces the last occurrence of some bytes of the file, which has at least one. */
function damage(bytes: string | Uint8Array, damaged: string | Uint8Array): void {
  const content = readFileSync(path);
  const place = content.lastIndexOf(bytes);
  expect(place).toBeGreaterThan(0);
  content.set(Buffer.from(damaged), place);
  writeFileSync(path, content);
}

function flipped(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  copy[0] ^= 1;
  return copy;
}

describe('a damaged file is reported', () => {
  it('on open, with its path, if it is no SQLite database', () => {
    writeFileSync(path, 'something else, of more than a hundred bytes. '.repeat(100));
    expect(() => openAccounts(path)).toThrow(CorruptDataError);
    expect(() => openAccounts(path)).toThrow(`"${path}" is damaged (file is not a database)`);
  });

  it('on open, if a statement asks for a column that the schema does not have', async () => {
    await writeAccounts();
    damage('suspended_at', 'suspended_qt');
    expect(() => openAccounts(path)).toThrow(CorruptDataError);
    expect(() => openAccounts(path)).toThrow('restore a backup of it');
  });

  it('by the check, if a row does not match an index', async () => {
    const hash = hashFromRawKey(await writeAccounts());
    damage(hash, flipped(hash));
    expect(() => checkAccountsFile(path)).toThrow(CorruptDataError);
  });

  it('by the check, if a key belongs to no account', async () => {
    await writeAccounts();
    const db = new DatabaseSync(path);
    db.exec("PRAGMA foreign_keys = OFF; UPDATE keys SET account = 'none'");
    db.close();
    expect(() => checkAccountsFile(path)).toThrow('a row of keys refers to no row');
  });
});

it('a key expires though the schema spells the name of that column in another case', async () => {
  // Without a name for each column of its result, the statement gave `Expires_at`, and the key
  // was taken for one without an end.
  const rawKey = await writeAccounts();
  const db = new DatabaseSync(path);
  db.exec('UPDATE keys SET expires_at = 5');
  db.close();
  damage('expires_at', 'eXpires_at');
  const accounts = openAccounts(path);
  expect(accounts.findKey(rawKey)?.expiresMs).toBe(5);
  await accounts.close();
});
