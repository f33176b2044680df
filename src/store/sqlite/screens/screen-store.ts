/** Saved screens, in the table `screens`. */

import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../../base/config/data-dir.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { createLister, type ListPart, type ListPlace } from '../database/list-part.ts';
import { inDurableTransaction } from '../database/transaction.ts';
import { checkedLabel } from '../keys/label.ts';
import type { NewScreen, SavedScreen } from './screen-record.ts';

interface ScreenTableRow {
  id: string;
  name: string;
  query: string;
  created_at: number;
}

const ID_BYTES = 15;

/** Returns the saved screens of accounts; in each call, ids of other accounts are unknown. */
export function createScreenStore(db: DatabaseSync, now: () => number) {
  const insert = db.prepare(
    `INSERT INTO screens (id, account, mode, name, query, created_at)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING *`,
  );
  const select = db.prepare('SELECT * FROM screens WHERE id = ? AND account = ? AND mode = ?');
  const own = 'FROM screens WHERE account = ? AND mode = ?';
  const part = createLister(db, { list: own }, screenFromRow);
  const count = db.prepare(`SELECT count(*) AS total ${own}`);
  const remove = db.prepare('DELETE FROM screens WHERE id = ? AND account = ? AND mode = ?');

  function create({ account, mode, name, query }: NewScreen): SavedScreen {
    const max = limits.savedScreen.perAccountMax;
    if (Number(count.get(account, mode)?.total) >= max) {
      const rule = `account has ${max} saved screens in ${mode} mode: delete some first`;
      throw new ParameterError('name', rule);
    }
    const id = `scr_${randomBytes(ID_BYTES).toString('hex')}`;
    const row = insert.get(id, account, mode, checkedLabel(name, 'name'), query, now());
    return screenFromRow(row as unknown as ScreenTableRow);
  }

  return {
    /** @throws {ParameterError} the name breaks a rule, or the account has too many screens. */
    createScreen: (screen: NewScreen): SavedScreen =>
      inDurableTransaction(db, () => create(screen)),
    findScreen(account: string, mode: Mode, id: string): SavedScreen | undefined {
      const row = select.get(id, account, mode);
      return row && screenFromRow(row as unknown as ScreenTableRow);
    },
    listScreenPart: (account: string, mode: Mode, place: ListPlace): ListPart<SavedScreen> =>
      part([account, mode], place),
    /** Deletes a screen; webhooks that name it keep its query. @returns false if there is none. */
    deleteScreen: (account: string, mode: Mode, id: string): boolean =>
      inDurableTransaction(db, () => remove.run(id, account, mode).changes > 0),
  };
}

function screenFromRow({ id, name, query, created_at }: ScreenTableRow): SavedScreen {
  return { id, name, query, createdAt: new Date(created_at).toISOString() };
}
