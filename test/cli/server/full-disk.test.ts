/** Commands that only look, on a disk without a byte to spare. */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../../jobs/contract/run.ts';
import { JobLedger } from '../../../jobs/ledger/ledger.ts';
import { jobsPaths } from '../../../src/base/config/data-dir.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

const disk = mountSmallDisk(64 * 1024 * 1024);

const plan: Run = {
  ...{ id: 'waits1', source: 'tiingo', mode: 'live', verb: 'backfill tiingo' },
  ...{ priority: 'backfill', createdMs: 1, childCount: 1, shared: {} },
  tasks: [{ title: 'AAPL', slice: {} }],
};

describe.skipIf(!disk)('on a full disk', () => {
  let cli: CliFolder;
  const { folder, fill, free, remove } = disk ?? ({} as NonNullable<typeof disk>);
  beforeAll(async () => {
    const dataDir = join(folder, 'data');
    cli = createCliFolder({ TAPEWORKS_DATA_DIR: dataDir });
    const candles = join(cli.dataDir, 'abc.csv');
    writeCandleFile(candles, '2025-01-02', '2025-01-31');
    await cli.json('backfill', 'files', 'candles', candles);
    await cli.json('keys', 'create', '--mode', 'live', '--label', 'one', '--scopes', 'all');
    const ledger = new JobLedger(jobsPaths(dataDir).ledger);
    ledger.write(plan, 'nobody');
    ledger.close();
    // A process that is killed leaves what it has written in the log.
    const { signal } = spawnSync(process.execPath, [
      '-e',
      `const { DatabaseSync } = require('node:sqlite');
       const db = new DatabaseSync(${JSON.stringify(jobsPaths(dataDir).ledger)});
       db.exec("UPDATE children SET state = 'dead', reason = 'its log says so'");
       process.kill(process.pid, 'SIGKILL');`,
    ]);
    expect(signal).toBe('SIGKILL');
    expect(existsSync(`${jobsPaths(dataDir).ledger}-wal`)).toBe(true);
    rmSync(`${jobsPaths(dataDir).ledger}-shm`);
    fill();
  });
  afterAll(async () => {
    await cli.remove();
    remove();
  });

  it('status reports that the disk is full, and everything else', async () => {
    const { disk, modes, jobs } = await cli.json('status');
    expect(disk).toEqual({ freeBytes: 0, isFull: true });
    expect(modes[0].published.datasets.candles.symbols).toBe(1);
    expect(modes[0]).toMatchObject({ damage: null, busy: null, pending: { series: 0, lists: 0 } });
    // The backfill’s own are done; the plan waits for its load, and its child was killed.
    expect(jobs).toMatchObject({ waiting: 1, dead: 1 });
  });

  it('jobs are listed, with what a killed process wrote', async () => {
    const dead = await cli.json('jobs', 'list', '--dead');
    expect(dead).toMatchObject([{ queue: 'fetch', title: 'AAPL', reason: 'its log says so' }]);
    const states = (await cli.json('jobs', 'list')).map(({ state }: { state: string }) => state);
    expect(states).toEqual(expect.arrayContaining(['dead', 'waiting', 'done']));
  });

  it('sql and export to another disk work', async () => {
    const rows = await cli.json('sql', 'select count(*)::INTEGER AS bars from candles');
    expect(rows).toEqual([{ bars: 20 }]);
    for (const format of ['csv', 'parquet', 'arrow']) {
      const out = join(cli.dataDir, `abc.out.${format}`);
      const told = await cli.json('export', 'candles', '--format', format, '--out', out);
      expect(told).toMatchObject({ symbols: 1, rows: 20 });
    }
    expect(readFileSync(join(cli.dataDir, 'abc.out.csv'), 'utf8').trim().split('\n')).toHaveLength(
      21,
    );
  });

  it('doctor names the disk alone', async () => {
    const { code, stdout } = await cli.run('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string }[] };
    const failed = checks.filter(({ state }) => state === 'failed').map(({ name }) => name);
    expect([code, failed]).toEqual([1, ['data directory']]);
  });

  it('nothing is broken by that once there is room', async () => {
    free();
    expect((await cli.json('status')).disk.freeBytes).toBeGreaterThan(0);
    expect(await cli.json('jobs', 'list', '--dead')).toHaveLength(1);
  });
});
