/** Connections to Postgres over TLS, with the parameters of its address. */

import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClient } from '../../../src/fleet/postgres/sql.ts';
import { selfSigned } from '../../jobs/webhooks/receiver.ts';
import { sharedFolder } from '../../support/folders.ts';
import {
  type RunningPostgres,
  startPostgres,
  unprivileged,
} from '../../support/postgres-server.ts';
import { openssl, postgresFolder } from '../../support/tools.ts';

describe.skipIf(!postgresFolder || !openssl)('Postgres with TLS', () => {
  const folder = sharedFolder();
  const key = join(folder, 'key.pem');
  const certificate = join(folder, 'certificate.pem');
  let postgres: RunningPostgres;

  beforeAll(async () => {
    const made = selfSigned(String(openssl), 'localhost');
    writeFileSync(certificate, made.cert);
    writeFileSync(key, made.key, { mode: 0o600 });
    const { uid, gid } = unprivileged();
    for (const path of [folder, key]) if (uid !== undefined) chownSync(path, uid, Number(gid));
    const files = [`ssl_cert_file=${certificate}`, `ssl_key_file=${key}`];
    postgres = await startPostgres(['ssl=on', ...files, `ssl_ca_file=${certificate}`]);
  });
  afterAll(() => postgres?.stop());

  /** Connects, and returns whether by TLS and as which client. */
  async function connected(query: string, host = 'localhost') {
    const address = postgres.url('postgres').replace('127.0.0.1', host);
    const client = await connectClient(address + query);
    try {
      const text = 'SELECT ssl, client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
      return (await client.query(text)).rows[0];
    } finally {
      await client.end();
    }
  }

  it('is used by its certificate alone, or by any, as the address says', async () => {
    expect(await connected('')).toMatchObject({ ssl: false });
    expect(await connected('?sslmode=no-verify')).toMatchObject({ ssl: true });
    const known = `sslrootcert=${certificate}`;
    expect(await connected(`?sslmode=require&${known}`)).toMatchObject({ ssl: true });
    expect(await connected(`?sslmode=verify-full&${known}`)).toMatchObject({ ssl: true });
    await expect(connected(`?sslmode=require&${known}`, '127.0.0.1')).rejects.toThrow(
      'could not be reached: ERR_TLS_CERT_ALTNAME_INVALID',
    );
    for (const mode of ['require', 'verify-full']) {
      await expect(connected(`?sslmode=${mode}`)).rejects.toThrow(
        'Postgres of the accounts could not be reached: DEPTH_ZERO_SELF_SIGNED_CERT',
      );
    }
  });

  it('knows a client by its certificate', async () => {
    const query = `?sslmode=require&sslrootcert=${certificate}&sslcert=${certificate}&sslkey=${key}`;
    expect(await connected(query)).toEqual({ ssl: true, client_dn: '/CN=localhost' });
  });
});
