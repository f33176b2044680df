import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoreBusyError } from '../../../src/errors.ts';
import { inTransaction, withoutWaiting } from '../../../src/store/accounts/transaction.ts';
import { useAccounts } from './open-accounts.ts';

const fixture = useAccounts();

let db: DatabaseSync;

beforeEach(() => {
  db = new DatabaseSync(fixture.path, { timeout: 0 });
  db.exec('CREATE TABLE notes (text TEXT)');
});
afterEach(() => db.close());

const write = (text: string) => void db.prepare('INSERT INTO notes VALUES (?)').run(text);
const notes = () =>
  db
    .prepare('SELECT text FROM notes')
    .all()
    .map(({ text }) => text);

function whileAnotherWrites(act: () => void): void {
  const other = new DatabaseSync(fixture.path);
  other.exec('BEGIN IMMEDIATE');
  act();
  other.exec('COMMIT');
  other.close();
}

it('keeps all of the work or nothing, that of inner transactions too', () => {
  const failing = () =>
    inTransaction(db, () => {
      inTransaction(db, () => write('inner'));
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(notes()).toEqual([]);
  inTransaction(db, () => inTransaction(db, () => write('inner')));
  expect(notes()).toEqual(['inner']);
});

it('says that another process is writing', () => {
  whileAnotherWrites(() => {
    expect(() => inTransaction(db, () => write('x'))).toThrow(StoreBusyError);
  });
});

it('withoutWaiting gives up where another process is writing, and says so', () => {
  whileAnotherWrites(() => expect(withoutWaiting(db, () => write('x'))).toBe(false));
  expect(withoutWaiting(db, () => write('y'))).toBe(true);
  expect(notes()).toEqual(['y']);
});
