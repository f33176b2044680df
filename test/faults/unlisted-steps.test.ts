import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { STEPS } from '../../src/base/failpoints.ts';
import { inFreshFolder } from './children/run.ts';
import { TIMEOUT_MS } from './scale.ts';
import { callsWithoutStep } from './support/disk-calls.ts';
import { watchStatements } from './support/statement-watch.ts';
import { withUndisturbed } from './support/undisturbed.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where loading, publishing, migrating and handing over begin; what they import is looked at too. */
const ROOTS = [
  'jobs/load/backfill.ts',
  'jobs/load/load-directory.ts',
  'jobs/inspect/symbols.ts',
  'jobs/load/sandbox.ts',
  'jobs/publish/publish.ts',
  'jobs/maintenance/compact.ts',
  'jobs/rebuild/rebuild.ts',
  'jobs/events/relay.ts',
  'jobs/contract/staging.ts',
  'src/ingest/segments/land-file.ts',
  'src/store/duckdb/connection/migrations.ts',
  'src/store/sqlite/database/schema.ts',
];

/** Work of a fetch, which nobody sees before `landFile` gives it its name. */
const UNSEEN = 'what a crash leaves of it is removed, and fetched again';

/** Calls without a step, by file and how their lines begin, and why they need none. */
const EXCEPTIONS: readonly (readonly [file: string, line: string, reason: string])[] = [
  ['src/ingest/segments/scratch.ts', 'const folder = await mkdtemp(', UNSEEN],
  ['src/ingest/segments/scratch.ts', 'await rm(folder', UNSEEN],
  ['src/ingest/segments/scratch.ts', 'if (pid > 0 && !isRunning(pid)) await rm(', UNSEEN],
  ['src/ingest/rows/stage-rows.ts', "const file: FileHandle = await open(path, 'w')", UNSEEN],
  ['src/ingest/rows/stage-rows.ts', 'await file.appendFile(', UNSEEN],
  ['src/ingest/segments/settle-rows.ts', 'await connection.run(`', UNSEEN],
  ['src/ingest/segments/quarantine.ts', 'await connection.run(`', UNSEEN],
  ['src/ingest/rows/segment.ts', 'await connection.run(`', UNSEEN],
  ['src/ingest/segments/land-file.ts', 'await rm(beside', 'the draft of a copy'],
  ['src/base/durable-file.ts', 'done += (await handle.write(', '`write` has told it'],
  ['src/base/durable-file.ts', '.write(bytes, 0,', '`write` has told it'],
  ['src/base/durable-file.ts', 'file.write(content)', '`write` tells it'],
  ['src/base/durable-file.ts', 'rmSync(join(this.#folder', 'it was never named'],
  ['src/store/arrow/format/arrow-file-writer.ts', 'this.#message.write(', 'into memory'],
  ['src/store/arrow/format/arrow-file-writer.ts', 'this.#file.write(', '`DurableFile` tells it'],
  ['src/store/arrow/format/arrow-file-writer.ts', 'if (whole > 0) this.#file.write(', 'the same'],
  [
    'src/store/duckdb/candles/insert-rows.ts',
    'await connection.run(`',
    'a draft until it is landed',
  ],
  ['jobs/load/copied-input.ts', "if ('files' in segment && segment.copyPath) rmSync(", 'the same'],
  [
    'src/store/duckdb/connection/writer-lock.ts',
    'rmSync(holderPath',
    'names a writer that is gone',
  ],
  [
    'src/store/duckdb/upkeep/rewrite-store.ts',
    'await connection.run(`ATTACH',
    'a draft until its rename',
  ],
  ['src/store/duckdb/upkeep/rewrite-store.ts', 'await connection.run(`COPY FROM', 'the same'],
  ['src/store/duckdb/upkeep/rewrite-store.ts', 'await connection.run(`DETACH', 'the same'],
  [
    'src/store/duckdb/upkeep/replace-store.ts',
    'utimesSync(',
    'a lost time keeps it a little shorter',
  ],
  ['src/base/data-folder.ts', 'mkdirSync(folder)', 'those that keep data in it tell it'],
  ['src/base/data-folder.ts', 'fsyncSync(above)', 'the folder of a command that has not begun'],
  [
    'src/base/data-folder.ts',
    'const file = openSync(path',
    'a trial of the disk, which is removed',
  ],
  ['src/base/data-folder.ts', 'writeSync(file', 'the same'],
  ['src/base/data-folder.ts', 'rmSync(trial', 'the same'],
  ['src/store/sqlite/database/open.ts', 'closeSync(openSync(', 'SQLite makes it if this does not'],
  [
    'src/store/sqlite/webhooks/key-file.ts',
    'const file = openSync(draft',
    'linked whole or not at all',
  ],
  ['src/store/sqlite/webhooks/key-file.ts', 'writeSync(', 'the same'],
  ['src/store/sqlite/webhooks/key-file.ts', 'fsyncSync(', 'the same'],
  ['src/store/sqlite/webhooks/key-file.ts', 'linkSync(', 'the same'],
  ['src/store/sqlite/webhooks/key-file.ts', 'rmSync(draft', 'the same'],
  // Of these only the hash of a file is used.
  ['src/base/copy-file.ts', '', 'of backups, which are no loads'],
];

/** Statements that change a file of accounts and no row: they begin its log. */
const BEGINS_LOG = /^accounts: (PRAGMA journal_mode = WAL|BEGIN IMMEDIATE$)/;

/** Files that are reached by imports of code, each with its text; what is imported on use fetches. */
function reachedFiles(): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string) => {
    if (found.has(path)) return;
    const text = readFileSync(join(root, path), 'utf8');
    found.set(path, text);
    const imports = text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+\.ts)'/gm);
    for (const [, next] of imports) visit(relative(root, join(root, dirname(path), next)));
  };
  ROOTS.forEach(visit);
  // The list itself is no call.
  found.delete('src/base/failpoints.ts');
  return found;
}

it('every call of loads, publishes, migrations, compactions, rebuilds and the relay that changes the disk has a step of its own', () => {
  const files = reachedFiles();
  expect(files.size).toBeGreaterThan(100);
  const used = new Set<(typeof EXCEPTIONS)[number]>();
  const unlisted: string[] = [];
  for (const [path, text] of files) {
    for (const call of callsWithoutStep(text)) {
      const exception = EXCEPTIONS.find(
        ([file, line]) => file === path && call.text.startsWith(line),
      );
      if (exception) used.add(exception);
      else unlisted.push(`${path}:${call.line} ${call.text}`);
    }
  }
  expect(unlisted).toEqual([]);
  // One that is not needed any more would hide what comes there next.
  expect(EXCEPTIONS.filter((exception) => !used.has(exception))).toEqual([]);
});

const NODE_FS = "import { rename as move, rmdirSync, writevSync } from 'node:fs';\n";

it.each([
  `${NODE_FS}  move(from, to);`,
  `${NODE_FS}  rmdirSync(path);`,
  `${NODE_FS}  writevSync(fd, parts);`,
  "import fs from 'node:fs';\n  fs.ftruncateSync(fd, 0);",
  "import * as disk from 'node:fs/promises';\n  await disk.symlink(from, to);",
  "import { cp } from 'node:fs/promises';\n  await cp(from, to);",
  "import { mkdirSync } from 'node:fs';\n  mkdirSync(path, { recursive: true });",
  "import { open } from 'node:fs/promises';\n  const handle = await open(path, 'w');",
  "import { pipeline } from 'node:stream/promises';\n  await pipeline(from, to);",
  "import { backup as copy } from 'node:sqlite';\n  await copy(from, to);",
  '  await anything.sync();',
  '  await (await this.#handles.at(0))?.writev(parts);',
  "  await connection.run('COMMIT');",
  '  await connection.run(`\n    force checkpoint`);',
  '  await connection.run(`COPY bars TO $1`);',
  "  database.exec('end');",
  "  database.exec('BEGIN; DELETE FROM bars; commit');",
  "  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');",
])('a call without its step is found: %s', (text) => {
  expect(callsWithoutStep(`${text}\n`)).toHaveLength(1);
  const lines = text.split('\n');
  const isImport = lines[0].startsWith('import');
  const told = [
    ...lines.slice(0, isImport ? 1 : 0),
    "  step('x');",
    ...lines.slice(isImport ? 1 : 0),
  ];
  expect(callsWithoutStep(told.join('\n'))).toEqual([]);
});

it('a step is of one call, and of none that comes before it or much later', () => {
  const move = "import { renameSync } from 'node:fs';\n";
  const call = '  renameSync(from, to);\n';
  const told = "  step('rename file', name);\n";
  expect(callsWithoutStep(move + told + call + call)).toHaveLength(1);
  expect(callsWithoutStep(move + call + told)).toHaveLength(1);
  expect(callsWithoutStep(move + told + '\n'.repeat(9) + call)).toHaveLength(1);
});

it('every listed step is somewhere', () => {
  const text = [...reachedFiles().values()].join('\n');
  expect(STEPS.filter((name) => !text.includes(`step('${name}'`))).toEqual([]);
});

it(
  'no statement of the flow changes a database without a step, in a transaction or not',
  () =>
    withUndisturbed(async (stages) => {
      const { changes, unlisted } = stages[stages.length - 1].statements;
      expect(changes).toBeGreaterThan(30);
      expect(unlisted.filter((statement) => !BEGINS_LOG.test(statement))).toEqual([]);
    }),
  TIMEOUT_MS,
);

it('a statement that writes outside of a transaction is found, and one inside of it at its commit', async () => {
  await inFreshFolder(async (dataDir) => {
    mkdirSync(join(dataDir, 'live'));
    const paths = {
      market: join(dataDir, 'live', 'market.duckdb'),
      accounts: join(dataDir, 'accounts.sqlite'),
    };
    const watch = watchStatements(paths);
    try {
      const instance = await DuckDBInstance.create(paths.market);
      const connection = await instance.connect();
      watch.step('commit rows');
      await connection.run('CREATE TABLE bars (close DOUBLE)');
      await connection.run('INSERT INTO bars VALUES (1)');
      await connection.run('BEGIN TRANSACTION');
      await connection.run('DELETE FROM bars');
      await connection.run('COMMIT');
      await connection.run('SELECT * FROM bars');
      connection.disconnectSync();
      watch.step('close store');
      instance.closeSync();
      const accounts = new DatabaseSync(paths.accounts);
      watch.step('commit accounts');
      accounts.exec('CREATE TABLE keys (id TEXT)');
      accounts.prepare('INSERT INTO keys VALUES (?)').run('a');
      accounts.close();
    } finally {
      watch.end();
    }
    expect(watch.found).toEqual([
      'market: INSERT INTO bars VALUES (1)',
      'market: COMMIT',
      'accounts: INSERT INTO keys VALUES (?)',
    ]);
  });
});
