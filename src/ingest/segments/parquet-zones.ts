/** Zones of Parquet's timestamps, whose column holds UTC: Arrow and pandas keep the name beside it. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { zoneNamed } from '../../base/time/zones.ts';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { sqlFile, sqlName, sqlString } from './sql-text.ts';

/** Zones by the name of their column. */
export type ParquetZones = Readonly<Record<string, string>>;

/** Reads the zones other than UTC of a file's columns that are timestamps with a zone. */
export async function parquetZones(
  connection: DuckDBConnection,
  path: string,
): Promise<ParquetZones> {
  const described = await selectRows<{ column_name: string; column_type: string }>(
    connection,
    `DESCRIBE SELECT * FROM read_parquet(${sqlFile(path)}, hive_partitioning = false)`,
  );
  const zoned = described.filter(({ column_type }) => column_type === 'TIMESTAMP WITH TIME ZONE');
  if (zoned.length === 0) return {};
  const texts = await selectRows<{ key: string; value: string }>(
    connection,
    `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${sqlFile(path)})
     WHERE decode(key) IN ('ARROW:schema', 'pandas')`,
  );
  const byKey = new Map(texts.map(({ key, value }) => [key, value]));
  const stated = {
    ...pandasZones(byKey.get('pandas')),
    ...(await arrowZones(byKey.get('ARROW:schema'))),
  };
  const known = zoned.flatMap(({ column_name }) => {
    const zone = zoneNamed(stated[column_name] ?? '');
    return zone === undefined || zone === 'UTC' ? [] : [[column_name, zone]];
  });
  return Object.fromEntries(known);
}

interface PandasColumn {
  name: string | null;
  field_name?: string | null;
  metadata?: { timezone?: string } | null;
}

function pandasZones(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  try {
    const { columns } = JSON.parse(text) as { columns?: PandasColumn[] };
    return Object.fromEntries(
      (columns ?? []).map(({ name, field_name, metadata }) => [
        field_name ?? name ?? '',
        metadata?.timezone ?? '',
      ]),
    );
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** A schema with types that this Arrow does not know states nothing. */
async function arrowZones(base64: string | undefined): Promise<Record<string, string>> {
  if (base64 === undefined) return {};
  const { tableFromIPC } = await import('apache-arrow');
  try {
    const { schema } = tableFromIPC(Buffer.from(base64, 'base64'));
    return Object.fromEntries(
      schema.fields.map(({ name, type }) => [name, (type as { timezone?: string }).timezone ?? '']),
    );
  } catch {
    return {};
  }
}

/** FROM item whose zoned columns are texts of their zone's clock, with the offset from UTC. */
export function withZonedTexts(fromSql: string, zones: ParquetZones): string {
  const texts = Object.entries(zones).map(([name, zone]) => {
    const local = `timezone(${sqlString(zone)}, ${sqlName(name)})`;
    const minutes = `date_diff('minute', timezone('UTC', ${sqlName(name)}), ${local})`;
    const offset = `printf('%s%02d:%02d', CASE WHEN ${minutes} < 0 THEN '-' ELSE '+' END,
      abs(${minutes}) // 60, abs(${minutes}) % 60)`;
    return `${local}::VARCHAR || ${offset} AS ${sqlName(name)}`;
  });
  if (texts.length === 0) return fromSql;
  return `(SELECT * REPLACE (${texts.join(', ')}) FROM ${fromSql})`;
}
