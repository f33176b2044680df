import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { STEPS } from '../../src/steps.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where loading, publishing, migrating and handing over begin; what they import is looked at too. */
const ROOTS = [
  'jobs/backfill.ts',
  'jobs/publish.ts',
  'jobs/compact.ts',
  'jobs/rebuild.ts',
  'jobs/events/relay.ts',
  'src/ingest/land-file.ts',
  'src/store/market/migrations.ts',
  'src/store/accounts/schema.ts',
];

/** Calls that change the disk for good. */
const CHANGES =
  /\b(fsync(Sync)?|fdatasync(Sync)?|rename(Sync)?|writeFile(Sync)?|appendFile(Sync)?|unlink(Sync)?|rm(Sync)?|link(Sync)?|copyFile(Sync)?|truncate(Sync)?|createWriteStream|writeSync)\(|(handle|file|folder)\.(sync|datasync|write)\(|['`"](COMMIT|CHECKPOINT|VACUUM)\b/;

/** A step is told in the lines right before what it names. */
const LINES_BEFORE = 6;

/** What a crash may leave or lose without anybody missing it, and what is told elsewhere. */
const EXCEPTIONS: Record<string, RegExp> = {
  // What was never named: left behind, it is removed by the next publish.
  'src/store/serving/durable-file.ts':
    /rmSync\(.*UNFINISHED_ENDING|await handle\.write\(|file\.write\(content\)/,
  // Goes through `DurableFile`.
  'src/store/serving/arrow-file-writer.ts': /this\.#file\.write\(/,
  // Of backups; a load only hashes files with it.
  'jobs/backup/copy-file.ts': /rename|sync|writeFile/i,
  // Left by an interrupted rewrite; the next one begins with this.
  'src/store/market/rewrite-store.ts': /rmSync\(path, \{ force: true \}\)/,
  // Names a writer that is gone.
  'src/store/market/writer-lock.ts': /rmSync\(holderPath/,
  // The draft of a copy.
  'src/ingest/land-file.ts': /rm\(beside/,
  // Made once, by whoever needs a key first: a draft that is linked whole or not at all.
  'src/store/accounts/key-file.ts': /fsyncSync|linkSync|rmSync|writeSync/,
};

/** Files that are reached by imports of code, not of types. */
function reachedFiles(): string[] {
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, next] of text.matchAll(
      /^(?:import|export) (?!type )[^;]*?from '(\.[^']+\.ts)'/gm,
    )) {
      visit(relative(root, join(root, dirname(path), next)));
    }
  };
  ROOTS.forEach(visit);
  return [...found].sort();
}

/** Lines of a text that change the disk and name no step. */
function unlisted(path: string, text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const isChange = CHANGES.test(line) && !/^\s*(\*|\/\/|import )|function /.test(line);
    if (!isChange || EXCEPTIONS[path]?.test(line)) return [];
    const before = lines.slice(Math.max(0, i - LINES_BEFORE), i + 1).join('\n');
    return /\bstep\('/.test(before) ? [] : [`${path}:${i + 1} ${line.trim()}`];
  });
}

it('every write, fsync, rename and commit of loads, publishes, migrations and the relay is a listed step', () => {
  const files = reachedFiles();
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((path) => unlisted(path, readFileSync(join(root, path), 'utf8')))).toEqual(
    [],
  );
});

it('a call without its step is found', () => {
  expect(unlisted('x.ts', '  renameSync(from, to);\n')).toHaveLength(1);
  expect(unlisted('x.ts', "  await connection.run('COMMIT');\n")).toHaveLength(1);
  expect(unlisted('x.ts', "  step('rename file', name);\n  renameSync(from, to);\n")).toEqual([]);
});

it('every listed step is somewhere', () => {
  const text = reachedFiles()
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
  expect(STEPS.filter((name) => !text.includes(`step('${name}'`))).toEqual([]);
});
