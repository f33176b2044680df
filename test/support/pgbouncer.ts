/** PgBouncer before a Postgres of the tests, on a port of its own. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type RunningPostgres, unprivileged } from './postgres-server.ts';
import { freePort } from './redis-server.ts';
import { pgbouncer } from './tools.ts';

export interface RunningBouncer {
  /** Returns an address of a database of Postgres that leads here instead. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** @param pool Time for which a client has a connection to Postgres. */
export async function startBouncer(
  { port: postgresPort }: Pick<RunningPostgres, 'port'>,
  pool: 'transaction' | 'session',
): Promise<RunningBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-bouncer-'));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(join(folder, 'users'), '"tapeworks" ""\n');
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${postgresPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${pool}
default_pool_size = ${pool === 'transaction' ? 2 : 20}
server_login_retry = 1
query_wait_timeout = 2
`,
  );
  // It refuses to run as root, so another user reads its files.
  for (const path of [folder, file, join(folder, 'users')]) chmodSync(path, 0o755);
  const server = spawn(String(pgbouncer), [file], { ...unprivileged(), stdio: 'ignore' });
  const through = (url: string) => {
    const address = new URL(url);
    address.port = String(port);
    return address.href;
  };
  for (;;) {
    const client = new pg.Client(through('postgres://tapeworks@127.0.0.1/postgres'));
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      break;
    } catch (error) {
      if (server.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return {
    through,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
