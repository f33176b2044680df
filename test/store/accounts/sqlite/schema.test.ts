import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openAccounts } from '../../../../src/store/accounts/admission/sqlite-accounts.ts';
import { freshFolder } from '../../../support/folders.ts';

it('a file from before the oldest version that is upgraded is refused and stays as it is', () => {
  const path = join(freshFolder(), 'accounts.sqlite');
  openAccounts(path).close();
  const change = new DatabaseSync(path);
  change.exec('UPDATE schema_migrations SET version = version - 2');
  const read = () => change.prepare('SELECT version FROM schema_migrations ORDER BY 1').all();
  const before = read();
  expect(() => openAccounts(path)).toThrow(
    'accounts.sqlite has schema version "13", expected at least 14: it was written by a ' +
      'development version before 1.0.0; move the file away and create keys again',
  );
  expect(read()).toEqual(before);
  change.close();
});
