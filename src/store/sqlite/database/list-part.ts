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

/** @param read Reads at most `limit` rows with a number below `beforeSeq`, newest first. */
export function listPart<Stored extends { seq: number }, Row>(
  { beforeSeq = Number.MAX_SAFE_INTEGER, limit }: ListPlace,
  read: (beforeSeq: number, limit: number) => unknown[],
  total: number,
  rowFrom: (stored: Stored) => Row,
): ListPart<Row> {
  const found = read(beforeSeq, limit + 1) as Stored[];
  const shown = found.slice(0, limit);
  const lastSeq = shown.at(-1)?.seq ?? 0;
  return { rows: shown.map(rowFrom), lastSeq, hasMore: found.length > limit, total };
}
