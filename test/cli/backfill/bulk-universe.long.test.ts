/** The closes of a whole universe, loaded by DuckDB and pyarrow, against `sql`. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { pythonJson } from '../../support/python.ts';
import { hasRealdata } from '../../support/realdata.ts';
import { python } from '../../support/tools.ts';
import { putRealUniverse } from '../support/real-universe.ts';
import { useCliFolder } from '../support/run-cli.ts';

/** A vendor's universe where it is there, else the generator's; both in their stored basis. */
const universe = hasRealdata
  ? { mode: 'live', keyMode: 'live', adjustment: 'all' }
  : { mode: 'sandbox', keyMode: 'test', adjustment: 'raw' };

/** A symbol's closes as one text; a double's text is the shortest that reads back as it. */
const HASHES = `SELECT symbol, count(*)::INTEGER AS bars,
  md5(string_agg(close::VARCHAR, ',' ORDER BY ts)) AS closes`;

interface SymbolHash {
  symbol: string;
  bars: number;
  closes: string;
}

const folder = useCliFolder();
let expected: SymbolHash[];
/** Path of a file with the answer to \`symbols=*\` in a format. */
let answered: (format: string) => Promise<string>;

beforeAll(async () => {
  if (hasRealdata) await putRealUniverse(folder);
  else await folder.json('backfill', 'sandbox', '--stocks', '60', '--from', '2024-01-01');
  const sql = `${HASHES} FROM candles WHERE interval = '1d' GROUP BY symbol ORDER BY symbol`;
  expected = await folder.json('sql', sql, '--mode', universe.mode);
  const { rawKey } = await folder.json(
    ...['keys', 'create', '--mode', universe.keyMode, '--label', 'test', '--scopes', 'all'],
  );
  const { document } = await folder.start('serve');
  answered = async (format) => {
    const query = `symbols=*&adjustment=${universe.adjustment}&format=${format}`;
    const response = await fetch(`${document.address}/v1/svc/candles?${query}`, {
      headers: { 'X-API-Key': rawKey },
    });
    const path = join(folder.dataDir, `answer.${format}`);
    writeFileSync(path, Buffer.from(await response.arrayBuffer()));
    return path;
  };
});

/** The hashes of a file's rows, in another DuckDB. */
async function hashesOfFile(reader: string, path: string): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const result = await connection.runAndReadAll(
    `${HASHES} FROM (SELECT *, timestamp AS ts FROM ${reader}) GROUP BY symbol ORDER BY symbol`,
    [path],
  );
  const rows = result.getRowObjectsJS();
  connection.disconnectSync();
  instance.closeSync();
  return rows;
}

describe('the closes of the universe', () => {
  it('are many', () => {
    expect(expected.length).toBeGreaterThan(hasRealdata ? 1600 : 60);
  });

  it('come out of the CSV answer in DuckDB as sql has them', async () => {
    const reader = "read_csv($1, types = {symbol: 'VARCHAR', close: 'DOUBLE'})";
    expect(await hashesOfFile(reader, await answered('csv'))).toEqual(expected);
  });

  it('come out of an exported Parquet file in DuckDB as sql has them', async () => {
    const path = join(folder.dataDir, 'universe.parquet');
    await folder.json(
      ...['export', 'candles', '--mode', universe.mode, '--adjustment', universe.adjustment],
      ...['--format', 'parquet', '--out', path],
    );
    expect(await hashesOfFile('read_parquet($1)', path)).toEqual(expected);
  });

  it.skipIf(!python)('come out of the Arrow answer in pyarrow as sql has them', async () => {
    const script = `
import sys, json, hashlib, pyarrow.ipc as ipc
closes = {}
for batch in ipc.open_stream(sys.argv[1]):
    for symbol, close in zip(batch.column('symbol').to_pylist(), batch.column('close').to_pylist()):
        closes.setdefault(symbol, []).append(repr(close))
print(json.dumps([
  {'symbol': symbol, 'bars': len(texts), 'closes': hashlib.md5(','.join(texts).encode()).hexdigest()}
  for symbol, texts in sorted(closes.items())
]))`;
    expect(await pythonJson(python!, script, [await answered('arrow')])).toEqual(expected);
  });
});
