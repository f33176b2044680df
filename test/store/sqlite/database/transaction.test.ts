import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../src/store/sqlite/database/open.ts';
import {
  inDurableTransaction,
  inTransaction,
} from '../../../../src/store/sqlite/database/transaction.ts';
import { freshFolder } from '../../../support/folders.ts';

/** Values of the pragma `synchronous`: how SQLite writes the log at a commit. */
const [NORMAL, FULL] = [1, 2];

it('a change that a client sees is on the disk first; counts are not waited for', () => {
  const folder = freshFolder();
  const db = openDatabase(join(folder, 'accounts.sqlite'), 0);
  onTestFinished(() => {
    db.close();
  });
  const level = () => db.prepare('PRAGMA synchronous').get()?.synchronous;
  expect(inDurableTransaction(db, level)).toBe(FULL);
  expect(inTransaction(db, level)).toBe(NORMAL);
  expect(inDurableTransaction(db, () => inDurableTransaction(db, level))).toBe(FULL);
  const failed = () => {
    throw new Error('no');
  };
  expect(() => inDurableTransaction(db, failed)).toThrow('no');
  expect(level()).toBe(NORMAL);
});
