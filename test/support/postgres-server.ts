/** A Postgres server in a temporary folder, on a port of its own. */

import { execFile, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freeze } from './freeze.ts';
import { madeOnce } from './made-once.ts';
import { freePort } from './redis-server.ts';
import { postgresFolder } from './tools.ts';

export interface RunningPostgres {
  port: number;
  /** Address of a database. */
  url(database: string): string;
  /** Creates an empty database. @returns its address. */
  create(database: string): Promise<string>;
  query(text: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Kills all of its processes at once, as a power cut does. */
  kill(): Promise<void>;
  /** Starts it again after a kill, unless it runs. */
  restart(): Promise<void>;
  /** Stops its processes where they are; `thaw` lets them go on. */
  freeze(): Promise<void>;
  thaw(): void;
  stop(): Promise<void>;
}

/** Returns the user of Postgres, which refuses to run as root. */
export function unprivileged(): Pick<SpawnOptions, 'uid' | 'gid'> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Removes the segment by which a killed server would have been recognised at its next start. */
function removeLeftSegment(data: string): void {
  const path = join(data, 'postmaster.pid');
  if (!existsSync(path)) return;
  const [, id] = readFileSync(path, 'utf8').split('\n')[6].trim().split(/\s+/);
  execFileSync('ipcrm', ['-m', id]);
}

/** @param parent Folder of its data: that of a small disk. */
export async function startPostgres(
  settings: readonly string[] = [],
  parent = tmpdir(),
): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(parent, 'tapeworks-postgres-'));
  const user = unprivileged();
  if (user.uid !== undefined) chownSync(folder, user.uid, Number(user.gid));
  const data = join(folder, 'data');
  const program = (name: string) => join(String(postgresFolder), name);
  const run = promisify(execFile);
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const made = await madeOnce('postgres', async (home) => {
    const initdb = ['-D', data, '-U', 'tapeworks', '-A', 'trust', '--no-sync'];
    await run(program('initdb'), initdb, options);
    await run('mv', [data, home]);
  });
  await run('cp', ['-a', join(made, 'data'), data]);
  // Machines of a fleet come from networks of their own.
  appendFileSync(join(data, 'pg_hba.conf'), 'host all all 198.18.0.0/15 trust\n');
  const port = await freePort();
  const url = (database: string) => `postgres://tapeworks@127.0.0.1:${port}/${database}`;
  let server: ReturnType<typeof spawn> | undefined;

  async function start(): Promise<void> {
    // Shared memory in the folder is gone with it, also after a kill.
    const fixed = ['fsync=off', 'dynamic_shared_memory_type=mmap'];
    const given = [`port=${port}`, `unix_socket_directories=${folder}`, ...fixed, ...settings];
    const args = ['-D', data, '-h', '127.0.0.1', ...given.flatMap((one) => ['-c', one])];
    // A group of its own, so that all of its processes can be signalled.
    server = spawn(program('postgres'), args, { ...options, detached: true, stdio: 'ignore' });
    for (;;) {
      const client = new pg.Client(url('postgres'));
      client.on('error', () => {});
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (server.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  const signal = (name: NodeJS.Signals) => void process.kill(-Number(server?.pid), name);
  // Its processes are in groups of their own.
  function children(): number[] {
    const pids = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server?.pid)], {
      encoding: 'utf8',
    });
    return pids.trim().split(/\s+/).map(Number);
  }
  function signalAll(name: NodeJS.Signals): void {
    for (const pid of [Number(server?.pid), ...children()]) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended meanwhile.
      }
    }
  }
  async function end(name: NodeJS.Signals): Promise<void> {
    const own = server;
    if (!own || own.exitCode !== null || own.signalCode !== null) return;
    const ended = new Promise((resolve) => own.once('exit', resolve));
    // A killed server leaves its processes, which go on serving connections for a while.
    if (name === 'SIGKILL') signalAll(name);
    else signal(name);
    await ended;
  }

  async function query(text: string, database = 'postgres') {
    const client = new pg.Client(url(database));
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  await start();
  return {
    port,
    url,
    async create(database) {
      await query(`CREATE DATABASE ${database}`);
      return url(database);
    },
    query,
    kill: () => end('SIGKILL'),
    restart: async () => {
      if (server?.exitCode !== null || server.signalCode !== null) await start();
    },
    async freeze() {
      // The one that makes the others first.
      await freeze(Number(server?.pid));
      await Promise.all(children().map(freeze));
    },
    thaw: () => signalAll('SIGCONT'),
    async stop() {
      await end('SIGINT');
      removeLeftSegment(data);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
