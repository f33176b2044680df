/** Saved screens, in the table `screens`. */

import type { Mode } from '../../../base/config/data-dir.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { countOf, createLister, type ListPlace } from '../database/list-part.ts';
import type { Sql } from '../database/sql.ts';
import { checkedLabel } from '../keys/label.ts';
import { randomRecordId } from '../keys/raw-key.ts';
import type { NewScreen, SavedScreen } from './screen-record.ts';

interface ScreenTableRow {
  id: string;
  name: string;
  query: string;
  created_at: number;
}

const SELECT = 'SELECT * FROM screens WHERE id = ? AND account = ? AND mode = ?';

/** Returns the number of a screen; undefined if the account has none with this id. */
export async function screenSeq(
  sql: Sql,
  account: string,
  mode: Mode,
  id: string,
): Promise<number | undefined> {
  return (await sql.get<{ seq: number }>(SELECT, id, account, mode))?.seq;
}

/** Returns the saved screens of accounts; in each call, ids of other accounts are unknown. */
export function createScreenStore(sql: Sql, now: () => number) {
  const insert = `INSERT INTO screens (id, account, mode, name, query, created_at)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING *`;
  const own = 'FROM screens WHERE account = ? AND mode = ?';
  const part = createLister(sql, { list: own }, screenFromRow);
  const remove = 'DELETE FROM screens WHERE id = ? AND account = ? AND mode = ?';

  async function create(tx: Sql, { account, mode, name, query }: NewScreen): Promise<SavedScreen> {
    const max = limits.savedScreen.perAccountMax;
    if ((await countOf(tx, own, account, mode)) >= max) {
      const rule = `account has ${max} saved screens in ${mode} mode: delete some first`;
      throw new ParameterError('name', rule);
    }
    const id = randomRecordId('scr');
    const values = [id, account, mode, checkedLabel(name, 'name'), query, now()];
    return screenFromRow((await tx.get<ScreenTableRow>(insert, ...values))!);
  }

  return {
    /** @throws {ParameterError} the name breaks a rule, or the account has too many screens. */
    createScreen: (screen: NewScreen): Promise<SavedScreen> =>
      sql.transaction((tx) => create(tx, screen), { lock: 'records', isDurable: true }),
    async findScreen(account: string, mode: Mode, id: string): Promise<SavedScreen | undefined> {
      const row = await sql.get<ScreenTableRow>(SELECT, id, account, mode);
      return row && screenFromRow(row);
    },
    listScreenPart: (account: string, mode: Mode, place: ListPlace) => part([account, mode], place),
    /** Deletes a screen; webhooks that name it keep its query. @returns false if there is none. */
    deleteScreen: (account: string, mode: Mode, id: string): Promise<boolean> =>
      sql.transaction(async (tx) => (await tx.run(remove, id, account, mode)) > 0, {
        isDurable: true,
      }),
  };
}

function screenFromRow({ id, name, query, created_at }: ScreenTableRow): SavedScreen {
  return { id, name, query, createdAt: new Date(created_at).toISOString() };
}
