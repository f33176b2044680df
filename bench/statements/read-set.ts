/** Reads a sample of a Financial Statement Data Set for the oracle, and for the product. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { OracleFaces, OracleLine } from './oracle.ts';

export interface OracleFiling {
  adsh: string;
  cik: number;
  name: string;
  form: string;
  faces: OracleFaces;
  /** Quarters that its income, and its cash flows, are of. */
  quarters: number;
  flowQuarters: number;
}

const TABLES = ['sub', 'num', 'pre'] as const;

/** Opens tables that are `FOLDER/NAME.sub.parquet` and so on, and writes them as text for the product. */
export async function openSample(prefix: string, folder: string): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  mkdirSync(folder, { recursive: true });
  for (const table of TABLES) {
    await connection.run(
      `CREATE TABLE ${table} AS FROM read_parquet('${prefix}.${table}.parquet')`,
    );
    const path = join(folder, `${table}.txt`);
    writeFileSync(path, '');
    await connection.run(
      `COPY ${table} TO '${path}' (FORMAT csv, DELIMITER '\\t', HEADER, QUOTE '', ESCAPE '')`,
    );
  }
  return connection;
}

interface Row {
  adsh: string;
  cik: number;
  name: string;
  form: string;
  stmt: 'IS' | 'BS' | 'CF';
  report: number;
  tag: string;
  label: string;
  negating: boolean;
  quarters: number;
  value: number;
}

/** Numbers of the filing's own last day, without segments and co-registrants, in their order. */
const LINES = `SELECT adsh, cik::DOUBLE AS cik, name, form, stmt, report::DOUBLE AS report, tag,
    plabel AS label, negating::INT = 1 AS negating, qtrs::DOUBLE AS quarters, value::DOUBLE AS value
  FROM pre JOIN num USING (adsh, tag, version) JOIN sub USING (adsh)
  WHERE stmt IN ('IS', 'BS', 'CF') AND coalesce(inpth::INT, 0) = 0 AND ddate = period
    AND segments IS NULL AND coreg IS NULL AND value IS NOT NULL AND length(uom) = 3
    AND form IN ('10-K', '10-K/A', '10-Q', '10-Q/A', '20-F', '20-F/A')
  ORDER BY cik, adsh, report, line`;

export async function oracleFilings(connection: DuckDBConnection): Promise<OracleFiling[]> {
  const reader = await connection.runAndReadAll(LINES);
  const rows = reader.getRowObjectsJS() as unknown as Row[];
  return [...Map.groupBy(rows, ({ adsh }) => adsh).values()].map(filingOf);
}

function filingOf(rows: readonly Row[]): OracleFiling {
  const [{ adsh, cik, name, form }] = rows;
  const isAnnual = /^(10-K|20-F)/.test(form);
  const quarters = isAnnual ? 4 : 1;
  const flows = rows.filter(({ stmt }) => stmt === 'CF').map((row) => row.quarters);
  const flowQuarters = isAnnual ? 4 : Math.min(...flows.filter((count) => count > 0));
  const faces = {
    IS: firstTable(rows, 'IS', quarters),
    BS: firstTable(rows, 'BS', 0),
    CF: firstTable(rows, 'CF', flowQuarters),
  };
  return { adsh, cik, name, form, faces, quarters, flowQuarters };
}

/** Least lines of a table that is a statement. */
const LINES_MIN = 5;

/** The first table is the consolidated one; later ones are of parents alone, or of subsidiaries. */
function firstTable(rows: readonly Row[], stmt: Row['stmt'], quarters: number): OracleLine[] {
  const own = rows.filter((row) => row.stmt === stmt && row.quarters === quarters);
  const tables = [...Map.groupBy(own, ({ report }) => report).values()];
  const table = tables.find(({ length }) => length >= LINES_MIN) ?? [];
  return table.map(({ negating, value, report, tag, label }) => ({
    ...{ stmt, report, tag, label: label ?? '', value, shown: negating ? -value : value },
  }));
}
