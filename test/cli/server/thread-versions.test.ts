/** Published data, opened by each API thread for itself. */

import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, askMany } from '../support/ask.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

const THREADS = 3;

let folder: CliFolder;
let headers: Record<string, string>;
let alone: string;
let threaded: string;

beforeAll(async () => {
  folder = createCliFolder();
  await folder.json('backfill', 'sandbox', '--stocks', '12', '--from', '2025-01-01');
  ({ headers } = await folder.key('test'));
  threaded = (await folder.start('serve', '--processes', String(THREADS))).document.address;
  alone = (await folder.start('serve')).document.address;
});
afterAll(() => folder.remove());

it('is the same in all threads as in one that is alone, in every form', async () => {
  const { data } = JSON.parse((await ask(`${alone}/v1/svc/symbols?limit=1`, { headers })).text);
  const [{ symbol }] = data;
  const paths = [
    `quotes/${symbol}`,
    `technical/${symbol}?indicators=sma,ema,rsi,macd,bollinger&limit=20`,
    `corporate-actions/${symbol}`,
    `fundamentals/${symbol}/statements`,
    `insider/${symbol}/summary`,
    `analyst-consensus/${symbol}`,
    // Cursors in JSON pages say when they were given.
    ...['csv', 'arrow'].flatMap((format) => [
      `candles?symbols=*&interval=1w&format=${format}`,
      `screener?sort=pe_ratio&format=${format}`,
      `symbols?active=true&format=${format}`,
      `news?format=${format}`,
    ]),
  ];
  for (const path of paths) {
    const expected = await ask(`${alone}/v1/svc/${path}`, { headers });
    expect([path, expected.status]).toEqual([path, 200]);
    const answers = await askMany(24, `${threaded}/v1/svc/${path}`, { headers });
    expect(new Set(answers.map(({ thread }) => thread)).size).toBe(THREADS);
    for (const { text } of answers) expect(text).toBe(expected.text);
  }
});

it('reaches all threads soon in a newer version, and walks that began go on', async () => {
  const first = JSON.parse((await ask(`${threaded}/v1/svc/screener?limit=5`, { headers })).text);
  const path = join(folder.dataDir, 'newone.csv');
  writeCandleFile(path, '2026-01-02', '2026-06-30');
  await folder.json('backfill', 'files', 'candles', path, '--mode', 'sandbox');
  const found = async () => {
    const answers = await askMany(24, `${threaded}/v1/svc/quotes/NEWONE`, { headers });
    return answers.every(({ status }) => status === 200);
  };
  await expect.poll(found, { timeout: 60_000 }).toBe(true);
  const next = `${threaded}/v1/svc/screener?limit=5&cursor=${first.cursor}`;
  const pages = await askMany(24, next, { headers });
  expect(new Set(pages.map(({ thread }) => thread)).size).toBe(THREADS);
  for (const page of pages) {
    expect(page.headers['x-svc-snapshot-changed']).toBeUndefined();
    expect(JSON.parse(page.text).data).toEqual(JSON.parse(pages[0].text).data);
  }
});
