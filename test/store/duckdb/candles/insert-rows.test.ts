import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openMarketForWriting } from '../../../../src/store/duckdb/connection/open.ts';
import { selectValue } from '../../../../src/store/duckdb/connection/sql-rows.ts';
import { freshPaths, load, NOW_MS, segmentOf } from '../support/fixtures.ts';

/** Rows of a full row group of a table. */
const GROUP_ROWS = 122_880;

// Two threads left a rest of each group of the Parquet file as a row group of its own. The
// checkpoint joined some of them, for which it wrote half of the rows again.
test('staged rows fill whole row groups', async () => {
  const paths = freshPaths();
  using db = await openMarketForWriting(paths, { verb: 'test', nowMs: NOW_MS });
  const staged = join(paths.root, 'staged.parquet');
  const rowCount = 4 * GROUP_ROWS;
  await db.connection.run(`
    COPY (SELECT 0 AS file_index, TIMESTAMP '2020-01-01' + to_minutes(range) AS ts,
        10::DOUBLE AS open, 12::DOUBLE AS high, 8::DOUBLE AS low, 10::DOUBLE AS close,
        range::DOUBLE AS volume
      FROM range(${rowCount}))
    TO '${staged}' (FORMAT parquet, ROW_GROUP_SIZE 124928)`);
  const segment = segmentOf([{ symbol: 'SPY', bars: [], dataLines: rowCount }], { interval: '1m' });
  const selectSql = `FROM read_parquet('${staged}')`;
  await load(db, { ...segment, groups: [{ selectSql, fileIndexes: [0] }] });
  const groups = await selectValue<number>(
    db.connection,
    `SELECT count(DISTINCT row_group_id)::DOUBLE FROM pragma_storage_info('intraday_bars')`,
  );
  expect(groups).toBe(4);
});
