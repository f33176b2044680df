/** Data folders that can't be written to: one line for those who write, answers for those who read. */

import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderFailure, makeFolders, requireWritable } from '../../src/base/data-folder.ts';
import { TapeworksError } from '../../src/base/errors.ts';
import { readSqlite } from '../../src/base/read-sqlite.ts';
import { writeCandleFile } from '../cli/support/candle-file.ts';
import { type CliFolder, type CliResult, createCliFolder } from '../cli/support/run-cli.ts';
import { runWarm } from '../cli/support/warm-cli.ts';
import { sharedFolder } from '../support/folders.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

let cli: CliFolder;
let candles: string;
const folder = sharedFolder();

/** One command of each that writes, as a person types them. */
const writers = (): string[][] => [
  ['start', '--json'],
  ['serve', '--processes', '2'],
  ['backfill', 'files', 'candles', candles],
  ['backfill', 'sandbox', '--stocks', '250'],
  ['backfill', 'yahoo', '--symbols', 'AAPL'],
  ['backfill', 'symbols'],
  ['jobs', 'retry', '--all'],
  ['keys', 'create', '--mode', 'live', '--label', 'x', '--scopes', 'all'],
  ['keys', 'revoke', 'key_x'],
  ['symbols', 'rename', 'ABC', 'ABD', '--on', '2025-01-10'],
  ['symbols', 'delist', 'ABC', '--on', '2025-01-31'],
  ['compact'],
  ['rebuild'],
  ['maintenance', 'retention'],
  ['maintenance', 'integrity'],
  ['schedule'],
  ['pipeline'],
];

/** The same for those that only read, with what they need to find. */
const readers = (): [string[], RegExp][] => [
  [['status', '--json'], /"symbols": 1/],
  [['sql', 'SELECT count(*) AS bars FROM candles'], /^20$/m],
  [['gaps', '--flags'], /missing/],
  [['explain', 'ABC', '2025-01-10'], /no other bar of this day/],
  [['symbols', 'show', 'ABC'], /ABC/],
  [['keys', 'list'], /key_/],
  [['jobs', 'list'], /backfill files/],
  [['schedule', '--list'], /maintenance/],
  [['export', 'candles', '--format', 'csv', '--out', join(folder, 'out.csv')], /20 rows/],
];

/** Runs a verb over a folder, as another user where one is given. */
async function run(dataDir: string, args: string[], uid?: number): Promise<CliResult> {
  const { PATH = '' } = process.env;
  const env = { PATH, TAPEWORKS_DATA_DIR: dataDir, TAPEWORKS_PORT: '0' };
  const result = await runWarm({ uid }, { args, env });
  if (!result) throw new Error('another command is running');
  return result;
}

/** Every writer is checked at one place, so some of them stand for all. */
const SOME = ['serve', 'backfill', 'keys', 'pipeline'];

async function expectRefusals(dataDir: string, reason: RegExp, uid?: number): Promise<void> {
  for (const args of writers().filter(([verb]) => SOME.includes(verb))) {
    await expectRefusal(args, dataDir, reason, uid);
  }
}

async function expectRefusal(args: string[], dataDir: string, reason: RegExp, uid?: number) {
  const { code, stdout, stderr } = await run(dataDir, args, uid);
  const shown = `${args.join(' ')}: ${code} ${stdout}${stderr}`;
  expect([code, stdout], shown).toEqual([1, '']);
  expect(stderr, shown).toMatch(/^tapeworks: can't use TAPEWORKS_DATA_DIR \(".*"\): .*\n$/);
  expect(stderr, shown).toContain(dataDir);
  expect(stderr, shown).toMatch(reason);
}

async function expectAnswers(dataDir: string, uid?: number): Promise<void> {
  for (const [args, found] of readers()) {
    rmSync(join(folder, 'out.csv'), { force: true });
    const { code, stdout, stderr } = await run(dataDir, args, uid);
    expect([args, code, stderr.replace('export: 1 of 1\n', '')]).toEqual([args, 0, '']);
    expect(stdout).toMatch(found);
  }
}

beforeAll(async () => {
  cli = createCliFolder();
  chmodSync(folder, 0o777);
  candles = join(folder, 'abc.csv');
  writeCandleFile(candles, '2025-01-02', '2025-01-31');
  await cli.json('backfill', 'files', 'candles', candles);
  await cli.json('keys', 'create', '--mode', 'live', '--label', 'one', '--scopes', 'all');
  rmSync(join(cli.dataDir, 'live', 'scratch'), { recursive: true, force: true });
});
afterAll(() => cli.remove());

describe('a data folder', () => {
  it.runIf(process.platform === 'linux')('that no parent takes is refused', async () => {
    // Making it with Node's own option never ended.
    await expectRefusals(
      '/proc/tapeworks',
      /ENOENT.*Set it to a folder that this user can write to/,
    );
  });

  it('that is a file, or would be below one, is refused', async () => {
    const { stderr } = await run(candles, ['serve']);
    expect(stderr).toMatch(/^tapeworks: can't use TAPEWORKS_DATA_DIR .* a file stands where/);
    for (const args of writers()) {
      await expectRefusal(args, join(candles, 'below'), /a file stands where a folder is needed/);
    }
    const read = await run(candles, ['status']);
    expect([read.code, read.stderr]).toEqual([1, expect.stringMatching(/^tapeworks: can't use/)]);
  });

  it('of segments is named by its own setting', async () => {
    const shared = createCliFolder({ TAPEWORKS_SEGMENTS_DIR: join(candles, 'below') });
    const { code, stderr } = await shared.run('backfill', 'files', 'candles', candles);
    expect([code, stderr]).toEqual([1, expect.stringContaining('use TAPEWORKS_SEGMENTS_DIR')]);
    await shared.remove();
  });

  describe.runIf(isRoot)('of another user', () => {
    it('is refused to writers, and answers readers', async () => {
      const theirs = join(folder, 'theirs');
      cpSync(cli.dataDir, theirs, { recursive: true });
      execFileSync('chmod', ['-R', 'a+rX', theirs]);
      await expectRefusals(theirs, /this user \(uid 65534\) has no right/, NOBODY);
      await expectAnswers(theirs, NOBODY);
    });

    it('without permission for this user is not taken for an empty one', async () => {
      const closed = join(folder, 'closed');
      mkdirSync(closed, { mode: 0o700 });
      for (const args of [['status'], ['sql', 'SELECT 1'], ['keys', 'list'], ['serve']]) {
        const { code, stderr } = await run(closed, args, NOBODY);
        expect([args, code]).toEqual([args, 1]);
        expect(stderr).toMatch(/^tapeworks: can't use TAPEWORKS_DATA_DIR .* has no right .*\n$/);
      }
    });
  });
});

const disk = mountSmallDisk(64 * 1024 * 1024);

describe.skipIf(!disk)('a disk of its own', () => {
  const { folder: mounted, fill, free, remove } = disk ?? ({} as NonNullable<typeof disk>);
  const remount = (how: string) => execFileSync('mount', ['-o', `remount,${how}`, mounted]);
  let dataDir: string;
  beforeAll(() => {
    dataDir = join(mounted, 'data');
    cpSync(cli.dataDir, dataDir, { recursive: true });
  });
  afterAll(() => remove());

  it('that is read-only is refused to writers, and answers readers', async () => {
    remount('ro');
    try {
      await expectRefusals(dataDir, /read-only\. Mount it for writing/);
      await expectRefusals(join(mounted, 'new'), /read-only\. Mount it for writing/);
      await expectAnswers(dataDir);
      expect((await run(join(mounted, 'new'), ['status'])).code).toBe(0);
    } finally {
      remount('rw');
    }
  });

  it('that is full is refused to writers, and answers readers', async () => {
    fill();
    try {
      // A server starts on it, to read: `full-disk-restart.long.test.ts`.
      for (const args of writers().filter(([verb]) => ['backfill', 'keys'].includes(verb))) {
        await expectRefusal(args, dataDir, /its disk is full\. Free room/);
      }
      await expectAnswers(dataDir);
    } finally {
      free();
    }
  });

  it('that fills up under a pipeline restarts it less and less often, with one line each time', async () => {
    const supervised = join(mounted, 'supervised');
    mkdirSync(supervised);
    fill();
    const script = `
      import { superviseVerb } from ${JSON.stringify(new URL('../../src/cli/server/supervise.ts', import.meta.url))};
      const note = (line) => console.log(line);
      const pipeline = superviseVerb(['pipeline'], { note });
      process.once('SIGTERM', () => pipeline.stop());`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { PATH: process.env.PATH, TAPEWORKS_DATA_DIR: supervised },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let notes = '';
    let failures = '';
    child.stderr.on('data', (chunk) => {
      failures += chunk;
    });
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (chunk) => {
        notes += chunk;
        if (notes.trim().split('\n').length >= 2) resolve();
      }),
    );
    child.kill('SIGTERM');
    await new Promise((resolve) => child.on('close', resolve));
    free();
    expect(notes.trim().split('\n').slice(0, 2)).toEqual(
      [0.25, 0.5].map((s) => `pipeline ended (exit 1); restarting in ${s} s`),
    );
    for (const line of failures.trim().split('\n')) expect(line).toMatch(/its disk is full/);
  });

  it('that is read-only gives what a killed process has left in a log', () => {
    const path = join(mounted, 'log.sqlite');
    const db = new DatabaseSync(join(folder, 'log.sqlite'));
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (7)');
    for (const ending of ['', '-wal']) {
      copyFileSync(join(folder, `log.sqlite${ending}`), path + ending);
    }
    db.close();
    remount('ro');
    try {
      expect(readSqlite(path, (read) => read.prepare('SELECT a FROM t').get())).toEqual({ a: 7 });
    } finally {
      remount('rw');
    }
  });
});

describe('makeFolders', () => {
  it('makes all missing folders and returns the first', () => {
    const path = join(folder, 'a', 'b', 'c');
    expect(makeFolders(path)).toBe(join(folder, 'a'));
    expect(makeFolders(path)).toBeUndefined();
  });
});

describe('requireWritable', () => {
  it('leaves nothing behind', () => {
    const path = join(folder, 'tried');
    requireWritable({ setting: 'TAPEWORKS_DATA_DIR', path });
    expect(readdirSync(path)).toEqual([]);
  });
});

describe('folderFailure', () => {
  const folders = () => [{ setting: 'TAPEWORKS_DATA_DIR', path: folder }];

  it('ignores failures of other kinds', () => {
    expect(folderFailure(new TypeError('x is not a function'), folders())).toBeUndefined();
  });

  it('does not blame the data folder for files elsewhere', () => {
    const error = Object.assign(new Error("EACCES: permission denied, open '/elsewhere/a.csv'"), {
      ...{ code: 'EACCES', syscall: 'open', path: '/elsewhere/a.csv' },
    });
    expect(folderFailure(error, folders())?.message).toBe(error.message);
  });

  it('knows the failures of DuckDB', () => {
    const text = `IO Error: Could not write file "${folder}/live/market.duckdb": No space left on device`;
    expect(folderFailure(new Error(text), folders())?.message).toContain('its disk is full');
  });

  it('recognizes the text that a job stored', () => {
    const text = `ENOSPC: no space left on device, open '${folder}/x'`;
    expect(folderFailure(new TapeworksError(text), folders())?.message).toContain(
      'its disk is full',
    );
  });
});
