/** A set of statements out of the sample of a real one, whose companies are repeated. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { benchFolder } from '../harness.ts';

const SAMPLE = fileURLToPath(new URL('../../../shared/realdata/sec/fsds/2010q2', import.meta.url));

/** Texts of a set's tables, and the file of its companies' tickers. */
export type MultipliedSet = Record<'sub' | 'num' | 'pre' | 'tickers', string>;

/** Numbers of companies of a copy are this much greater than those of the one before. */
const COPY_CIKS = 10_000_000;

/** @returns undefined without the sample. */
export async function multipliedSet(filings: number): Promise<MultipliedSet | undefined> {
  if (!existsSync(`${SAMPLE}.num.parquet`)) return undefined;
  const folder = benchFolder();
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`CREATE TABLE sub AS FROM read_parquet('${SAMPLE}.sub.parquet')`);
  const count = await connection.runAndReadAll('SELECT count(*)::DOUBLE AS n FROM sub');
  const copies = Math.ceil(filings / Number(count.getRowObjectsJS()[0].n));
  const texts = {} as MultipliedSet;
  // A copy has accession numbers of its own year.
  const adsh = `concat(split_part(adsh, '-', 1), '-', 10 + copy, '-', split_part(adsh, '-', 3)) AS adsh`;
  for (const table of ['sub', 'num', 'pre'] as const) {
    const path = join(folder, `${table}.txt`);
    const version =
      table === 'sub' ? '' : `, if(version = adsh, ${adsh.slice(0, -8)}, version) AS version`;
    const cik = table === 'sub' ? `, cik::BIGINT + ${COPY_CIKS} * copy AS cik` : '';
    await connection.run(`COPY (SELECT * EXCLUDE (copy) REPLACE (${adsh}${version}${cik})
      FROM read_parquet('${SAMPLE}.${table}.parquet'), range(${copies}) copies(copy))
      TO '${path}' (FORMAT csv, DELIMITER '\\t', HEADER, QUOTE '', ESCAPE '')`);
    texts[table] = readFileSync(path, 'utf8');
  }
  const ciks = await connection.runAndReadAll(
    `SELECT DISTINCT cik::BIGINT + ${COPY_CIKS} * copy AS cik FROM sub, range(${copies}) copies(copy)`,
  );
  const tickers = ciks.getRowObjectsJS().map(({ cik }, place) => {
    const letters = [...String(place).padStart(5, '0')].map((digit) => 'ABCDEFGHIJ'[Number(digit)]);
    return [place, { cik_str: Number(cik), ticker: letters.join(''), title: `Company ${place}` }];
  });
  return { ...texts, tickers: JSON.stringify(Object.fromEntries(tickers)) };
}
