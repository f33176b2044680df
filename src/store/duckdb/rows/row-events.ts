import type { DuckDBConnection } from '@duckdb/node-api';
import type { ColumnKind, Dataset } from '../../../base/datasets/dataset.ts';
import { limits } from '../../../base/limits.ts';
import { columnOfField, tableColumns } from '../connection/dataset-columns.ts';
import { eventIdSql } from '../connection/outbox.ts';
import { runOne, sqlTimestamp } from '../connection/sql-rows.ts';

/**
 * Writes an event for each recent row of `changed_rows`, up to a limit for each segment. The id
 * follows from the row, so a row that is loaded again is the same event. The payload is `{dataset,
 * row}`, the row as a `DatasetRow`.
 */
export async function writeRowEvents(
  connection: DuckDBConnection,
  dataset: Dataset,
  nowMs: number,
): Promise<void> {
  const { event: type } = dataset;
  if (type === undefined) return;
  const { eventDays, eventRowsMax } = limits.store;
  const time = columnOfField(dataset.time);
  const now = sqlTimestamp(nowMs * 1000);
  await runOne(
    connection,
    `INSERT INTO outbox
     SELECT segment_seq, event_id, $1, payload, ${now} FROM (
       SELECT segment_seq, ${eventIdSql('$1', 'payload')} AS event_id, payload FROM (
         SELECT segment_seq, ${time} AS known, ${payloadSql(dataset)}::VARCHAR AS payload
         FROM changed_rows WHERE ${time} > ${now} - INTERVAL ${eventDays} DAY)
       QUALIFY row_number() OVER (
         PARTITION BY segment_seq ORDER BY known DESC, payload) <= ${eventRowsMax})
     ANTI JOIN outbox USING (event_id) ORDER BY segment_seq, event_id`,
    [type],
  );
}

function payloadSql(dataset: Dataset): string {
  const fields = tableColumns(dataset).map(
    ({ field, column, kind }) => `'${field}', ${jsonSql(column, kind)}`,
  );
  return `json_object('dataset', '${dataset.name}', 'row', json_object(${fields.join(', ')}))`;
}

function jsonSql(column: string, kind: ColumnKind): string {
  if (kind === 'flag') return `${column}::VARCHAR`;
  if (kind === 'moment') return `epoch_ms(${column})`;
  return kind === 'date' ? `${column} - DATE '1970-01-01'` : column;
}
