import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { scratchName, scratchOwner } from '../../base/config/scratch-names.ts';
import { makeFolders } from '../../base/data-folder.ts';
import { limits } from '../../base/limits.ts';
import { mkdtemp, readdir, rm } from '../../base/world/file-promises.ts';
import { isOutOfMemory } from '../../store/duckdb/connection/little-memory.ts';
import type { StageContext } from '../contract/fetch-context.ts';

export interface Scratch extends AsyncDisposable {
  folder: string;
  /** Opens the database at the first call, in about 30 ms. Files that the store reads need none. */
  connect(): Promise<DuckDBConnection>;
  close(): Promise<void>;
}

export async function openScratch(context: StageContext): Promise<Scratch> {
  makeFolders(context.paths.scratch);
  await removeLeftFolders(context.paths.scratch);
  const folder = await mkdtemp(join(context.paths.scratch, `${scratchName('segment')}-`));
  let opened: Promise<Database> | undefined;
  const close = async () => {
    const database = await opened?.catch(() => undefined);
    database?.connection.disconnectSync();
    database?.instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    folder,
    async connect() {
      opened ??= openDatabase(folder);
      return (await opened).connection;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Database {
  instance: DuckDBInstance;
  connection: DuckDBConnection;
}

async function openDatabase(folder: string): Promise<Database> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: limits.ingest.scratchMemory,
    temp_directory: join(folder, 'spill'),
    autoinstall_known_extensions: 'false',
  });
  const connection = await instance.connect();
  // Moments in Parquet files become texts. Their dates must not depend on the machine's zone.
  await connection.run("SET TimeZone = 'UTC'");
  const run = connection.run.bind(connection);
  // Not all that a statement holds can wait on disk.
  connection.run = (...statement) =>
    run(...statement).catch(async (error) => {
      if (!isOutOfMemory(error)) throw error;
      await run(`SET memory_limit = '${limits.ingest.scratchMemoryMax}'`);
      return run(...statement);
    });
  return { instance, connection };
}

/** Removes the folders of processes that were killed. */
async function removeLeftFolders(scratch: string): Promise<void> {
  for (const name of await readdir(scratch)) {
    if (scratchOwner(name) === 'gone')
      await rm(join(scratch, name), { recursive: true, force: true });
  }
}
