/** Columns of a Parquet file by its schema, which shows what DuckDB's own description hides. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { sqlFile } from './sql-text.ts';

export interface ParquetColumn {
  /** Name for SQL. DuckDB ignores letter case, and reads `Close` beside `close` as `Close_1`. */
  sqlName: string;
  /** Name as the file states it. */
  name: string;
  /** Type as DuckDB reads it. A decimal that it reads wrong is `DECIMAL(60,4)`. */
  type: string;
}

/**
 * Digits of the widest decimal that DuckDB holds. It reads wider ones as doubles, and wrong ones
 * (a multiple of the value) unless a value takes a multiple of 8 bytes: duckdb/duckdb#25058.
 */
const DECIMAL_DIGITS_MAX = 38;

/**
 * Decimals of a wider one that a double has exactly: DuckDB divides two doubles, of which the first
 * is rounded where a price times this power of ten is above 2^53.
 */
const WIDE_SCALE_MAX = 9;

interface SchemaNode {
  name: string;
  children: number;
  precision: number | null;
  scale: number | null;
  bytes: number | null;
}

/** @throws DuckDB's error if it is not Parquet. */
export async function parquetColumns(
  connection: DuckDBConnection,
  path: string,
): Promise<ParquetColumn[]> {
  const described = await selectRows<{ name: string; type: string }>(
    connection,
    `SELECT column_name AS name, column_type AS type FROM
      (DESCRIBE SELECT * FROM read_parquet(${sqlFile(path)}, hive_partitioning = false))`,
  );
  const nodes = topNodes(
    await selectRows<SchemaNode>(
      connection,
      `SELECT name, coalesce(num_children, 0)::DOUBLE AS children, precision::DOUBLE AS precision,
        scale::DOUBLE AS scale,
        TRY_CAST(type_length AS DOUBLE) AS bytes FROM parquet_schema(${sqlFile(path)})`,
    ),
  );
  return described.map(({ name: sqlName, type }, at) => {
    const { name, precision, scale, bytes } = nodes[at];
    const isWide = precision !== null && precision > DECIMAL_DIGITS_MAX;
    const isTooWide = isWide && ((bytes ?? 1) % 8 !== 0 || (scale ?? 0) > WIDE_SCALE_MAX);
    return { sqlName, name, type: isTooWide ? `DECIMAL(${precision},${scale})` : type };
  });
}

/** Columns among the nodes of the schema, which stand depth first behind their root. */
function topNodes([, ...nodes]: readonly SchemaNode[]): SchemaNode[] {
  const columns: SchemaNode[] = [];
  /** Nodes still to come below the newest column. */
  let below = 0;
  for (const node of nodes) {
    if (below === 0) columns.push(node);
    else below--;
    below += node.children;
  }
  return columns;
}

const TEXT_TYPE = /^(VARCHAR|BLOB|ENUM\(.*\))$/;
const DECIMAL_TYPE = /^DECIMAL\((\d+),\d+\)$/;

/**
 * Returns why symbols cannot be read from values of a type. A tool that guesses types makes
 * BOOLEAN of the tickers T and F, and the names of the values are other companies' tickers.
 *
 * @param isList True if a list of symbols is welcome.
 */
export function symbolTypeFault(name: string, type: string, isList = false): string | undefined {
  const element = isList ? type.replace(/\[\d*\]$/, '') : type;
  if (TEXT_TYPE.test(element)) return undefined;
  return `its column "${name}" is of type ${type}, and tickers are text: write it as text`;
}

/** Returns why numbers cannot be read from values of a type. */
export function numberTypeFault(name: string, type: string): string | undefined {
  const digits = Number(DECIMAL_TYPE.exec(type)?.[1] ?? 0);
  if (digits <= DECIMAL_DIGITS_MAX) return undefined;
  return `its column "${name}" is of type ${type}, and decimals of up to ${DECIMAL_DIGITS_MAX} digits are read: write it as DECIMAL(${DECIMAL_DIGITS_MAX},…) or DOUBLE`;
}
