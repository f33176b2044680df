/** Deliberately broken builds: each is one text of a source file replaced by another. */

export interface Mutant {
  name: string;
  /** Relative to the project. */
  file: string;
  from: string;
  to: string;
  /** What is run: a stage of the flow, or a backup of what it leaves. */
  work: number | 'backup';
  /** Where the process is killed before it runs again, as `flow-child.ts` has it; undefined: nowhere. */
  killAt?: string;
  /** What must show it: the order of calls, what is there in the end, or that nobody is waited for. */
  caughtBy: 'order' | 'state' | 'waiting';
  /** Whether the short form tries it too: one of each kind. */
  isShort?: boolean;
}

const DURABLE_FILE = 'src/base/durable-file.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'skips the fsync of files',
    file: DURABLE_FILE,
    from: 'await handle.sync();',
    to: '',
    work: 2,
    caughtBy: 'order',
    isShort: true,
  },
  {
    name: 'skips the fsync of folders',
    file: DURABLE_FILE,
    from: '    fsyncSync(fd);',
    to: '',
    work: 2,
    caughtBy: 'order',
  },
  {
    name: 'swaps the manifest before the names of its files are durable',
    file: 'src/store/arrow/write/publication.ts',
    from: 'syncFolder(this.#folder);\n    await swapManifest',
    to: 'await swapManifest',
    work: 2,
    caughtBy: 'order',
  },
  {
    name: 'swaps the store and leaves its name to chance',
    file: 'src/store/duckdb/upkeep/rewrite-store.ts',
    from: 'syncFolder(paths.root);',
    to: '',
    work: 2,
    caughtBy: 'order',
  },
  {
    name: 'makes folders whose names are not durable',
    file: DURABLE_FILE,
    from: 'syncFolder(dirname(made));',
    to: '',
    work: 0,
    caughtBy: 'order',
  },
  {
    name: 'saves files in a backup that are not on disk',
    file: 'src/base/copy-file.ts',
    from: 'await target.sync();',
    to: '',
    work: 'backup',
    caughtBy: 'order',
  },
  {
    name: 'finishes a backup before the names of its files are durable',
    file: 'src/base/copy-file.ts',
    from: 'fsyncSync(fd);',
    to: '',
    work: 'backup',
    caughtBy: 'order',
  },
  {
    name: 'copies a store while somebody writes it',
    file: 'jobs/backup/backup.ts',
    from: 'const lock = await acquireWriterLock(paths, deps);',
    to: 'const lock = { release() {} };',
    work: 'backup',
    caughtBy: 'waiting',
    isShort: true,
  },
  {
    name: 'lands segments that are not on disk',
    file: 'src/ingest/segments/land-file.ts',
    from: 'await syncFile(finished, name);',
    to: '',
    work: 0,
    caughtBy: 'order',
  },
  {
    name: 'applies a segment twice',
    file: 'src/store/duckdb/connection/ledger.ts',
    from: 'return new Map(rows.map(({ segment, ...entry }) => [segment, entry]));',
    to: 'return new Map();',
    work: 0,
    killAt: 'move position@1',
    caughtBy: 'state',
    isShort: true,
  },
  {
    name: 'commits the rows before the ledger',
    file: 'src/store/duckdb/load/load-candles.ts',
    from: 'const entries = await writeLedger(',
    to: `await connection.run('COMMIT');
  await connection.run('BEGIN TRANSACTION');
  const entries = await writeLedger(`,
    work: 0,
    // The first one after those of the schema and of the sources.
    killAt: 'commit rows@3',
    caughtBy: 'state',
  },
  {
    name: 'tells an event again under another id',
    file: 'src/store/sqlite/webhooks/event-store.ts',
    from: 'insertEvent.get(event.id,',
    to: 'insertEvent.get(event.id + process.pid,',
    work: 0,
    killAt: 'move position@1',
    caughtBy: 'state',
  },
  {
    name: 'notes that events were told before they are',
    file: 'jobs/events/relay.ts',
    from: 'accounts.advanceRelay(paths.mode, next, () => {',
    to: `accounts.advanceRelay(paths.mode, next, () => undefined);
  step('add events', 'late');
  ((work: () => void) => work())(() => {`,
    work: 0,
    killAt: 'add events late@1',
    caughtBy: 'state',
  },
];
