/** Reads a sample of a Financial Statement Data Set for the oracle, and for the product. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { OracleFaces, OracleLine } from './oracle.ts';

export interface OracleFiling {
  adsh: string;
  cik: number;
  name: string;
  form: string;
  /** Code of its industry, and its fiscal year. */
  sic: number;
  year: number;
  /** Last day of its period, in days since 1970, and the day of its acceptance. */
  periodDay: number;
  filed: string;
  faces: OracleFaces;
  /** Quarters that its income, and its cash flows, are of. */
  quarters: number;
  flowQuarters: number;
}

const TABLES = ['sub', 'num', 'pre'] as const;

const FSDS = fileURLToPath(new URL('../../../shared/realdata/sec/fsds/', import.meta.url));

/** Real sets beside the project: a table as Parquet, whose name the others share, and a zip. */
export const SAMPLES = ['2010q2.sub.parquet', '20250701.zip'].map((name) => join(FSDS, name));

/**
 * Columns of statements: those of the period that a filing is about, or the ones before, which the
 * statement shows next to them. No rule was made on these.
 */
export type Column = 'own' | 'before';

/**
 * Writes the tables of a sample as text for the product, and opens them.
 * @param about.isFactsAlone Whether the product is given what company facts have alone.
 */
export async function sampleFolder(
  sample: string,
  folder: string,
  { column = 'own', isFactsAlone = false }: { column?: Column; isFactsAlone?: boolean } = {},
): Promise<{ folder: string; connection: DuckDBConnection }> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  mkdirSync(folder, { recursive: true });
  if (sample.endsWith('.zip')) execFileSync('unzip', ['-q', '-o', sample, '-d', folder]);
  const text = `FORMAT csv, DELIMITER '\\t', HEADER, QUOTE '', ESCAPE ''`;
  for (const table of TABLES) {
    const path = join(folder, `${table}.txt`);
    const source = existsSync(path)
      ? `read_csv('${path}', delim = '\\t', quote = '', escape = '', all_varchar = true)`
      : `read_parquet('${sample.replace('sub', table)}')`;
    await connection.run(`CREATE TABLE ${table} AS FROM ${source}`);
  }
  if (column === 'before') for (const statement of TAKE_BEFORE) await connection.run(statement);
  for (const table of TABLES) {
    const rows = isFactsAlone ? FACTS_ALONE[table] : table;
    await connection.run(`COPY ${rows} TO '${join(folder, `${table}.txt`)}' (${text})`);
  }
  return { folder, connection };
}

/** Rows as company facts have them: without faces, and without the filers' own concepts. */
const FACTS_ALONE = {
  sub: 'sub',
  num: '(FROM num WHERE version <> adsh)',
  pre: '(FROM pre LIMIT 0)',
} as const;

/** Puts the amounts of the columns before in the place of the filings' own. */
const TAKE_BEFORE = [
  `CREATE TABLE shown AS SELECT adsh, stmt, num.qtrs::VARCHAR AS quarters,
      left(ddate::VARCHAR, 8) AS day, left(period::VARCHAR, 8) AS own, count(*) AS lines
    FROM num JOIN sub USING (adsh)
    JOIN (SELECT DISTINCT adsh, tag, version, stmt FROM pre) USING (adsh, tag, version)
    WHERE segments IS NULL AND coreg IS NULL AND stmt IN ('IS', 'BS', 'CF') GROUP BY ALL`,
  `CREATE TABLE taken AS SELECT adsh, quarters, own, max(day) AS day FROM shown
    WHERE day < own AND lines >= 5 AND if(quarters = '0', stmt = 'BS', abs(datediff('day',
      strptime(day, '%Y%m%d'), strptime(own, '%Y%m%d')) - 365) < 20) GROUP BY ALL`,
  `CREATE OR REPLACE TABLE num AS SELECT num.* REPLACE (taken.own AS ddate) FROM num JOIN taken
    ON num.adsh = taken.adsh AND num.qtrs::VARCHAR = quarters AND left(ddate::VARCHAR, 8) = day`,
];

interface Row extends Omit<OracleFiling, 'faces' | 'flowQuarters'> {
  stmt: 'IS' | 'BS' | 'CF';
  report: number;
  tag: string;
  label: string;
  negating: boolean;
  currency: string;
  value: number;
}

/** Numbers of the filing's own last day, without segments and co-registrants, in their order. */
const LINES = `SELECT adsh, cik::DOUBLE AS cik, name, form, sic::DOUBLE AS sic, fy::DOUBLE AS year,
    epoch(strptime(left(sub.period::VARCHAR, 8), '%Y%m%d')) / 86400 AS periodDay,
    coalesce(
      left(accepted::VARCHAR, 10),
      strftime(strptime(left(filed::VARCHAR, 8), '%Y%m%d'), '%Y-%m-%d')
    ) AS filed, stmt, report::DOUBLE AS report, tag,
    plabel AS label, coalesce(try_cast(negating AS DOUBLE), 0) = 1 AS negating, qtrs::DOUBLE AS quarters, uom AS currency,
    value::DOUBLE AS value
  FROM pre JOIN num USING (adsh, tag, version) JOIN sub USING (adsh)
  WHERE stmt IN ('IS', 'BS', 'CF') AND coalesce(try_cast(inpth AS DOUBLE), 0) = 0 AND left(ddate::VARCHAR, 8) = left(sub.period::VARCHAR, 8)
    AND segments IS NULL AND coreg IS NULL AND value IS NOT NULL AND length(uom) = 3
    AND form IN ('10-K', '10-K/A', '10-Q', '10-Q/A', '20-F', '20-F/A')
  ORDER BY cik, adsh, report::INT, line::INT`;

export async function oracleFilings(connection: DuckDBConnection): Promise<OracleFiling[]> {
  const reader = await connection.runAndReadAll(LINES);
  const rows = reader.getRowObjectsJS() as unknown as Row[];
  return [...Map.groupBy(rows, ({ adsh }) => adsh).values()].map(filingOf);
}

/** Other currencies are translations for readers. */
function ofMostLines(rows: readonly Row[]): Row[] {
  const groups = Map.groupBy(rows, ({ currency }) => currency);
  const weight = (own: readonly Row[]) => own.length + (own[0].currency === 'USD' ? 0 : 0.5);
  return [...groups.values()].sort((a, b) => weight(b) - weight(a))[0];
}

function filingOf(all: readonly Row[]): OracleFiling {
  const rows = ofMostLines(all);
  const [{ adsh, cik, name, form, sic, year, periodDay, filed }] = rows;
  const isAnnual = /^(10-K|20-F)/.test(form);
  const quarters = isAnnual ? 4 : 1;
  const flows = rows.filter(({ stmt }) => stmt === 'CF').map((row) => row.quarters);
  const flowQuarters = isAnnual ? 4 : Math.min(...flows.filter((count) => count > 0));
  const faces = {
    IS: firstTable(rows, 'IS', quarters),
    BS: firstTable(rows, 'BS', 0),
    CF: firstTable(rows, 'CF', flowQuarters),
    endCash: rows.find(
      ({ stmt, quarters: count, label }) => stmt === 'CF' && count === 0 && /\bcash\b/i.test(label),
    )?.value,
  };
  const about = { adsh, cik, name, form, sic, year, periodDay, filed };
  return { ...about, faces, quarters, flowQuarters };
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
