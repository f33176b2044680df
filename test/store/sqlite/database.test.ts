import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { CorruptDataError } from '../../../src/base/errors.ts';
import { openAccounts } from '../../../src/store/sqlite/accounts.ts';
import { checkAccountsFile } from '../../../src/store/sqlite/check-accounts.ts';
import { freshFolder } from '../duckdb/support/fixtures.ts';

describe('a damaged file', () => {
  it('that is not of SQLite says so, with its path', () => {
    const path = join(freshFolder(), 'accounts.sqlite');
    writeFileSync(path, 'something else, of more than a hundred bytes. '.repeat(100));
    expect(() => openAccounts(path)).toThrow(CorruptDataError);
    expect(() => openAccounts(path)).toThrow(`"${path}" is damaged (file is not a database)`);
  });

  // One bit of a trigger, of a name that a statement asks for, and of one that only its result has.
  it.each([
    ['NEW.screener', 'NEW.scbeener'],
    ['suspended_at', 'suspended_qt'],
    ['expires_at', 'eXpires_at'],
  ])('whose schema has %s as %s says so, and what to do', (name, damaged) => {
    const path = join(freshFolder(), 'accounts.sqlite');
    openAccounts(path).close();
    const bytes = readFileSync(path);
    const place = bytes.indexOf(name);
    expect(place).toBeGreaterThan(0);
    bytes.write(damaged, place);
    writeFileSync(path, bytes);
    expect(() => openAccounts(path)).toThrow(CorruptDataError);
    expect(() => openAccounts(path)).toThrow('restore a backup of it');
    expect(() => checkAccountsFile(path)).toThrow(CorruptDataError);
  });

  it('that lacks the secret of its rows says so', () => {
    const path = join(freshFolder(), 'accounts.sqlite');
    openAccounts(path).close();
    const db = new DatabaseSync(path);
    expect(db.prepare("DELETE FROM secrets WHERE name = 'rows'").run().changes).toBe(1);
    db.close();
    expect(() => openAccounts(path)).toThrow(CorruptDataError);
  });
});
