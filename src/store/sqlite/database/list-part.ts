import type { DatabaseSync } from 'node:sqlite';

export interface ListPlace {
  /** Number above all rows of the part; undefined: it starts at the newest row. */
  beforeSeq?: number;
  limit: number;
}

export interface ListPart<Row> {
  rows: Row[];
  /** Number of the last row: `beforeSeq` of the next part. */
  lastSeq: number;
  hasMore: boolean;
  total: number;
}

/**
 * Returns a function that reads parts of a list, newest first.
 *
 * @param list SQL `FROM … WHERE …` of the whole list; the function takes the values of its `?`.
 */
export function createLister<Stored, Row>(
  db: DatabaseSync,
  { columns = '*', list }: { columns?: string; list: string },
  rowFrom: (stored: Stored) => Row,
) {
  const select = db.prepare(`SELECT ${columns} ${list} AND seq < ? ORDER BY seq DESC LIMIT ?`);
  const count = db.prepare(`SELECT count(*) AS total ${list}`);
  return (values: string[], { beforeSeq = Number.MAX_SAFE_INTEGER, limit }: ListPlace) => {
    const found = select.all(...values, beforeSeq, limit + 1);
    const shown = found.slice(0, limit);
    const rows = shown.map((stored) => rowFrom(stored as Stored));
    const lastSeq = Number(shown.at(-1)?.seq ?? 0);
    const total = Number(count.get(...values)?.total);
    return { rows, lastSeq, hasMore: found.length > limit, total };
  };
}
