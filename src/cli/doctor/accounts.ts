/** Checks the Postgres of the accounts. */

import type { Settings } from '../../base/config/config.ts';
import { postgresPlace } from '../../base/config/postgres-address.ts';
import { limits } from '../../base/limits.ts';
import { wallMs } from '../../base/world/clock.ts';
import { loadPostgres } from '../fleet.ts';
import type { Check } from './setup.ts';

const NAME = 'accounts in Postgres';

/** The oldest server that the tests run with. */
const OLDEST = 150_000;

/** Checks address, version, rights, TLS and clock; none if the settings name no Postgres. */
export async function checkPostgres({
  accountsUrl: url,
}: Pick<Settings, 'accountsUrl'>): Promise<Check[]> {
  if (url === undefined) return [];
  const { connectClient } = await loadPostgres();
  try {
    const client = await connectClient(url);
    try {
      const sentMs = wallMs();
      const { rows } = await client.query(
        `SELECT current_setting('server_version_num')::int AS version,
           has_schema_privilege(current_schema(), 'CREATE') AS "canCreate",
           pg_is_in_recovery() AS "isReplica",
           current_setting('default_transaction_read_only')::bool AS "isReadOnly",
           inet_server_addr() IS NULL OR inet_server_addr() << inet '127.0.0.0/8' AS "isLocal",
           extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"`,
      );
      const { version, canCreate, isReplica, isReadOnly, isLocal, nowMs } = rows[0];
      const aheadMs = nowMs - (sentMs + wallMs()) / 2;
      const faults = [
        ...(version < OLDEST ? ['its version is older than 15'] : []),
        ...(canCreate ? [] : ['its user may not create tables: grant CREATE on the schema']),
        ...(isReplica ? ['it is a replica, which takes no changes'] : []),
        ...(isReadOnly ? ['it takes no changes: set default_transaction_read_only to off'] : []),
      ];
      if (faults.length > 0) return [{ name: NAME, state: 'failed', detail: faults.join('; ') }];
      const notes = [
        ...(postgresPlace(url).ssl || isLocal ? [] : ['without TLS: set sslmode=require']),
        ...(Math.abs(aheadMs) < limits.postgres.clockMs
          ? []
          : [`its clock differs by ${(aheadMs / 1000).toFixed(1)} s`]),
      ];
      const { hostname } = new URL(url);
      const detail = [hostname || 'a socket of this machine', ...notes].join('; ');
      return [{ name: NAME, state: notes.length > 0 ? 'note' : 'ok', detail }];
    } finally {
      await client.end();
    }
  } catch (error) {
    return [{ name: NAME, state: 'failed', detail: (error as Error).message }];
  }
}
