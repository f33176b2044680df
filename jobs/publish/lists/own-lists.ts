/** Lists of users' own facts that hold all securities: memberships, and the names of own columns. */

import { MILLIS_PER_DAY } from '../../../src/base/bars.ts';
import type { ListName } from '../../../src/base/datasets/datasets.ts';
import { dateFromDay } from '../../../src/base/time/dates.ts';
import type { ListRow } from '../../../src/store/arrow/lists/specs.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';
import { readMemberships, readOwnColumns } from '../../../src/store/duckdb/rows/read-own-lists.ts';

/** Readers of the lists that do not follow from those of symbols. */
export const OWN_LISTS: Partial<Record<ListName, (market: MarketDb) => Promise<ListRow[]>>> = {
  async members(market) {
    const rows = await readMemberships(market);
    return rows.map(({ index, title, symbol, fromDay, toDay }) =>
      listRow(fromDay, `${index} ${symbol}`, {
        ...{ index, title, symbol, from: dateFromDay(fromDay) },
        to: toDay === null ? null : dateFromDay(toDay),
      }),
    );
  },
  async values(market) {
    const rows = await readOwnColumns(market);
    return rows.map(({ name, symbols, fromDay, toDay }) =>
      listRow(toDay, name, { name, symbols, from: dateFromDay(fromDay), to: dateFromDay(toDay) }),
    );
  },
};

function listRow(day: number, id: string, row: object): ListRow {
  const timestampMs = day * MILLIS_PER_DAY;
  return { timestampMs, id, knownMs: null, kind: '', json: JSON.stringify(row) };
}
