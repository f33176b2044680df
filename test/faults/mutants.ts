/** Deliberately broken builds: each is one text of a source file replaced by another. */

export interface Mutant {
  name: string;
  /** Relative to the project. */
  file: string;
  from: string;
  to: string;
  /** Where the process is killed before it runs again, as `flow-child.ts` has it; undefined: nowhere. */
  killAt?: string;
  /** What must show it. */
  caughtBy: 'order' | 'state';
}

const DURABLE_FILE = 'src/store/serving/durable-file.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'skips the fsync of files',
    file: DURABLE_FILE,
    from: 'await handle.sync();',
    to: '',
    caughtBy: 'order',
  },
  {
    name: 'skips the fsync of folders',
    file: DURABLE_FILE,
    from: '    fsyncSync(fd);',
    to: '',
    caughtBy: 'order',
  },
  {
    name: 'swaps the manifest before the names of its files are durable',
    file: 'src/store/serving/publication.ts',
    from: 'syncFolder(this.#folder);\n    await swapManifest',
    to: 'await swapManifest',
    caughtBy: 'order',
  },
  {
    name: 'lands segments that are not on disk',
    file: 'src/ingest/land-file.ts',
    from: 'await syncFile(finished, name);',
    to: '',
    caughtBy: 'order',
  },
  {
    name: 'applies a segment twice',
    file: 'src/store/market/ledger.ts',
    from: 'return new Map(rows.map(({ segment, ...entry }) => [segment, entry]));',
    to: 'return new Map();',
    killAt: 'move position@1',
    caughtBy: 'state',
  },
  {
    name: 'commits the rows before the ledger',
    file: 'src/store/market/load-candles.ts',
    from: 'const entries = await writeLedger(',
    to: `await connection.run('COMMIT');
  await connection.run('BEGIN TRANSACTION');
  const entries = await writeLedger(`,
    // The first one after the schema's eight.
    killAt: 'commit rows@9',
    caughtBy: 'state',
  },
  {
    name: 'tells an event again under another id',
    file: 'src/store/accounts/event-store.ts',
    from: 'insertEvent.get(event.id,',
    to: 'insertEvent.get(event.id + process.pid,',
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
    killAt: 'add events late@1',
    caughtBy: 'state',
  },
];
