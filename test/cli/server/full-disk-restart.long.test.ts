/** Servers that are killed or stopped while the disk is full, and start again on it. */

import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scaled } from '../../faults/scale.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { ask } from '../support/ask.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { putStarted } from '../support/full-sandbox.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../support/run-cli.ts';

const disk = mountSmallDisk(300 * 1024 * 1024);

describe.skipIf(!disk)('a restart on a full disk', () => {
  const { folder, fill, free, remove } = disk ?? ({} as NonNullable<typeof disk>);
  let cli: CliFolder;
  let key: string;
  let headers: { 'X-API-Key': string };
  let bars: string;
  let calls = 0;

  beforeAll(async () => {
    const dataDir = join(folder, 'data');
    cli = createCliFolder({
      ...{ TAPEWORKS_DATA_DIR: dataDir, TAPEWORKS_SCHEDULE: 'off', TAPEWORKS_FILES: 'off' },
    });
    await putStarted({ ...cli, dataDir });
    const candles = join(cli.dataDir, 'abc.csv');
    writeCandleFile(candles, '2025-01-02', '2025-01-31');
    await cli.json('backfill', 'files', 'candles', candles);
    ({ id: key, headers } = await cli.key('live'));
    const running = await cli.start('serve');
    bars = (await get(running, 'candles?symbols=ABC&interval=1d&format=csv')).text;
    expect(bars).toContain('2025-01-31');
    await running.stop();
  });
  afterAll(async () => {
    await cli.remove();
    remove();
  });

  async function get({ document }: RunningCli, path: string) {
    const reply = await ask(`${document.address}/v1/svc/${path}`, { headers });
    calls++;
    return reply;
  }

  const create = async ({ document }: RunningCli) => {
    calls++;
    return ask(`${document.address}/v1/svc/developer/keys`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ label: 'new', scopes: ['quotes:read'] }),
    });
  };

  async function expectReading(running: RunningCli): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const { status, text } = await get(running, 'candles?symbols=ABC&interval=1d&format=csv');
      expect([status, text]).toEqual([200, bars]);
    }
    const { status, text } = await create(running);
    expect([status, text]).toEqual([503, expect.stringContaining('disk of the server is full')]);
    const ready = await ask(`${running.document.address}/readyz`);
    expect([ready.status, JSON.parse(ready.text)]).toEqual([
      200,
      expect.objectContaining({ diskFull: true }),
    ]);
  }

  /** Resolves once a key can be created. */
  const untilWritable = (running: RunningCli) =>
    expect.poll(async () => (await create(running)).status).toBe(201);

  /** Returns the calls that are written. */
  async function written(): Promise<number> {
    const rows = await cli.json('accounts', 'usage', '--key', key);
    const counts = rows.map(({ callCount }: { callCount: number }) => callCount);
    return counts.reduce((sum: number, count: number) => sum + count, 0);
  }

  const STARTS: [verb: string, signal: NodeJS.Signals, options: string[]][] = [
    ['start', 'SIGKILL', []],
    ['serve', 'SIGTERM', ['--processes', '2']],
    ...scaled([], [
      ['serve', 'SIGTERM', []],
      ['serve', 'SIGKILL', []],
      ['start', 'SIGTERM', []],
    ] as [string, NodeJS.Signals, string[]][]),
  ];

  it('reads after each end, and writes when there is room', async () => {
    fill();
    for (const [verb, signal, options] of STARTS) {
      const running = await cli.start(verb, ...options);
      await expectReading(running);
      const ended = once(running.process, 'exit');
      running.process.kill(signal);
      await ended;
      fill();
    }
    const running = await cli.start('serve', '--processes', '2');
    const before = await written();
    calls = 0;
    await expectReading(running);
    free();
    await untilWritable(running);
    await running.stop();
    // What was counted on the full disk was kept in memory.
    expect((await written()) - before).toBe(calls);
  });
});
