/** Lists that several rows give together: memberships by security, and the names of own columns. */

import { members, values } from '../../../base/datasets/universes.ts';
import type { MarketDb } from '../connection/open.ts';
import { selectRows, sqlDay } from '../connection/sql-rows.ts';

/** Days on which a security belongs to a universe, inclusive; a null end is open. */
export interface Membership {
  index: string;
  title: string;
  symbol: string;
  fromDay: number;
  toDay: number | null;
}

/** A list of all members counts up to the day before the next one of its index. */
const PIECES = `
  SELECT "index", symbol, ${sqlDay('"from"')} AS "fromDay",
    coalesce(${sqlDay('"to"')}, ${sqlDay('next')} - 1) AS "toDay"
  FROM ${members.table} LEFT JOIN (
    SELECT "index", date, lead(date) OVER (PARTITION BY "index" ORDER BY date) AS next
    FROM (SELECT DISTINCT "index", date FROM ${members.table} WHERE date IS NOT NULL))
    USING ("index", date)`;

/** Reads memberships; those of a security that touch are one, whatever its tickers were. */
export async function readMemberships({ connection }: MarketDb): Promise<Membership[]> {
  return selectRows<Membership>(
    connection,
    `WITH pieces AS (${PIECES}),
      reached AS (SELECT *, max(coalesce("toDay", 2147483646)) OVER (
          PARTITION BY "index", symbol ORDER BY "fromDay"
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM pieces),
      runs AS (SELECT *, sum(CASE WHEN "fromDay" <= before + 1 THEN 0 ELSE 1 END) OVER (
          PARTITION BY "index", symbol ORDER BY "fromDay" ROWS UNBOUNDED PRECEDING) AS run
        FROM reached),
      titles AS (SELECT "index", arg_max(title, ("from", title)) AS title
        FROM ${members.table} GROUP BY "index")
    SELECT "index", title, symbol, min("fromDay") AS "fromDay",
      CASE WHEN bool_or("toDay" IS NULL) THEN NULL ELSE max("toDay") END AS "toDay"
    FROM runs JOIN titles USING ("index") GROUP BY "index", title, symbol, run
    ORDER BY "fromDay", "index", symbol`,
  );
}

/** An own column, and the days of its values. */
export interface OwnColumn {
  name: string;
  symbols: number;
  fromDay: number;
  toDay: number;
}

export async function readOwnColumns({ connection }: MarketDb): Promise<OwnColumn[]> {
  return selectRows<OwnColumn>(
    connection,
    `SELECT name, count(DISTINCT symbol)::INTEGER AS symbols,
       ${sqlDay('min(date)')} AS "fromDay", ${sqlDay('max(date)')} AS "toDay"
     FROM ${values.table} GROUP BY name ORDER BY name`,
  );
}
