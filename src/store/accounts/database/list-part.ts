import type { Sql } from './sql.ts';

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
  sql: Sql,
  { columns = '*', list }: { columns?: string; list: string },
  rowFrom: (stored: Stored) => Row,
) {
  const select = `SELECT ${columns} ${list} AND seq < ? ORDER BY seq DESC LIMIT ?`;
  return async (
    values: string[],
    { beforeSeq = Number.MAX_SAFE_INTEGER, limit }: ListPlace,
  ): Promise<ListPart<Row>> => {
    const found = await sql.all<Stored & { seq: number }>(select, ...values, beforeSeq, limit + 1);
    const total = await countOf(sql, list, ...values);
    const shown = found.slice(0, limit);
    const rows = shown.map((stored) => rowFrom(stored));
    return { rows, lastSeq: shown.at(-1)?.seq ?? 0, hasMore: found.length > limit, total };
  };
}

/** Counts the rows of a list. */
export async function countOf(sql: Sql, list: string, ...values: string[]): Promise<number> {
  const row = await sql.get<{ total: number }>(`SELECT count(*) AS total ${list}`, ...values);
  return row?.total ?? 0;
}
