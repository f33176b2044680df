/** The bytes of bulk answers, and what happens while they are sent. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { Message, type RecordBatch } from 'apache-arrow/ipc/metadata/message';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { limits } from '../../../../src/base/limits.ts';
import { freshFolder } from '../../../support/folders.ts';
import {
  type FixtureSymbol,
  fixtureSymbols,
  NOW_MS,
  publishMarket,
  weekdayBars,
} from '../../support/market-fixture.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const CANDLES = '/v1/svc/candles?symbols=*';
const INDICATORS = '/v1/svc/technical?symbols=*&indicators=sma,macd,psar';
const BULK = [CANDLES, INDICATORS];

let dataDir: string;
let serving: string;
let server: TestServer;

async function serve(symbols: readonly FixtureSymbol[]): Promise<void> {
  await publishMarket(serving, symbols);
  server = await startTestServer(dataDir, NOW_MS);
}

beforeEach(() => {
  dataDir = freshFolder();
  serving = modePaths(dataDir, 'sandbox').serving;
});

afterEach(() => server.close());

/** Stored as served, so that its bytes go out as they lie on the disk. */
function plainSymbol(symbol: string, barCount: number, seed: number): FixtureSymbol {
  const bars = weekdayBars(barCount, seed);
  return { symbol, basis: 'all', bars, splits: [], dividends: [], isCovered: false };
}

/** More than the kernel keeps for a client that takes nothing. */
function largeMarket(seed: number): FixtureSymbol[] {
  return Array.from({ length: 40 }, (_, i) => plainSymbol(`L${i + 10}`, 10_000, seed + i));
}

/** An answer whose headers have come and of whose body nothing is taken. */
function openAnswer(path = CANDLES): Promise<IncomingMessage> {
  const headers = { 'X-API-Key': server.rawKey };
  return new Promise((resolve, reject) => {
    get(server.address + path, { headers }, (answer) => resolve(answer.pause())).on(
      'error',
      reject,
    );
  });
}

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await answer.toArray());
}

interface Framed {
  message: Message;
  body: Uint8Array;
  bodyStart: number;
}

/** The messages of an IPC stream, which must end as the format says. */
function framedMessages(stream: Uint8Array): Framed[] {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.length);
  const messages: Framed[] = [];
  let at = 0;
  for (;;) {
    expect(view.getUint32(at, true)).toBe(0xffffffff);
    const metadataBytes = view.getInt32(at + 4, true);
    at += 8;
    if (metadataBytes === 0) break;
    const message = Message.decode(stream.subarray(at, at + metadataBytes));
    const bodyStart = at + metadataBytes;
    at = bodyStart + message.bodyLength;
    messages.push({ message, body: stream.subarray(bodyStart, at), bodyStart });
  }
  expect(at).toBe(stream.length);
  return messages;
}

describe('an Arrow response', () => {
  it('holds the very bytes of the stored columns', async () => {
    const symbols = [plainSymbol('AAA', 1500, 1), plainSymbol('BBB', 1500, 2)];
    await serve(symbols);
    const { bytes } = await server.get(CANDLES);
    for (const { bars } of symbols) {
      for (const column of Object.values(bars) as (Float64Array | BigInt64Array)[]) {
        const stored = Buffer.from(column.buffer, column.byteOffset, column.byteLength);
        expect(Buffer.from(bytes).includes(stored)).toBe(true);
      }
    }
  });

  it.each(BULK)(
    'to %s has bodies at multiples of 64 bytes and zeros between buffers',
    async (path) => {
      await serve([...fixtureSymbols(), plainSymbol('XXX', 3001, 5), plainSymbol('YYY', 1201, 6)]);
      const messages = framedMessages((await server.get(path)).bytes);
      const batches = messages.filter(({ message }) => message.isRecordBatch());
      expect(batches.length).toBe(3);
      for (const { message, body, bodyStart } of batches) {
        expect(bodyStart % 64).toBe(0);
        const padding = Uint8Array.from(body);
        for (const { offset, length } of (message.header() as RecordBatch).buffers) {
          padding.fill(0, offset, offset + length);
        }
        expect(padding.every((byte) => byte === 0)).toBe(true);
      }
    },
  );

  it('gives long series batches of their own, and lets short ones share', async () => {
    const counts = [20, 30, 2000, 40_000, 10];
    await serve(counts.map((count, i) => plainSymbol(`S${i}`, count, i + 1)));
    const table = tableFromIPC((await server.get(CANDLES)).bytes);
    const { batchRowsMax } = limits.bulk;
    const rowCounts = table.batches.map(({ numRows }) => numRows);
    expect(rowCounts).toEqual([2050, batchRowsMax, batchRowsMax, 40_000 - 2 * batchRowsMax, 10]);
    const symbols = table.getChild('symbol')!;
    const firstRows = counts.map((_, i) => counts.slice(0, i).reduce((a, b) => a + b, 0));
    expect(firstRows.map((row) => symbols.get(row))).toEqual(['S0', 'S1', 'S2', 'S3', 'S4']);
  });

  it('has the right dates before 1970', async () => {
    await serve([plainSymbol('OLD', 20_000, 3)]);
    const table = tableFromIPC((await server.get(CANDLES)).bytes);
    const [timestamps, dates] = ['timestamp', 'date'].map((name) => table.getChild(name)!);
    expect(new Date(dates.get(0)).toISOString().slice(0, 4)).toBe('1955');
    for (let row = 0; row < table.numRows; row += 97) {
      expect(dates.get(row)).toBe(timestamps.get(row));
    }
  });

  it('has fewer rows a batch where rows are longer', async () => {
    await serve([plainSymbol('AAA', 20_000, 1)]);
    const table = tableFromIPC((await server.get(INDICATORS)).bytes);
    const rowsMax = Math.floor((limits.bulk.batchRowsMax * 9) / table.schema.names.length);
    const rowCounts = table.batches.map(({ numRows }) => numRows);
    expect(rowCounts).toEqual([rowsMax, 20_000 - rowsMax]);
  });

  it('is the same to the byte for a repeated request', async () => {
    await serve(fixtureSymbols());
    const [first, second] = [await server.get(CANDLES), await server.get(CANDLES)];
    expect(Buffer.from(first.bytes).equals(second.bytes)).toBe(true);
  });
});

describe('while a response is sent', () => {
  it.each(BULK)(
    'others may be published: all of %s is of the version it began with',
    async (path) => {
      await serve(largeMarket(1));
      const before = await server.get(path);
      const slow = await openAnswer(path);
      const etag = async () => (await server.get('/v1/svc/quotes/AAA')).headers.get('ETag');
      const first = await etag();
      // The second publish removes the files of the version that is being sent.
      for (const seed of [3, 4]) await publishMarket(serving, [plainSymbol('AAA', 5, seed)]);
      while ((await etag()) === first) expect(slow.destroyed).toBe(false);
      const isSent = () => server.log.filter(({ target }) => target === path).length === 2;
      expect(isSent()).toBe(false);
      const bytes = await bodyOf(slow);
      expect(slow.headers.etag).toBe(before.headers.get('ETag'));
      expect(bytes.equals(before.bytes)).toBe(true);
    },
  );

  it.each(BULK)('a client that leaves ends %s, and the log says so', async (path) => {
    await serve(largeMarket(1));
    const answer = await openAnswer(path);
    answer.destroy();
    const line = () => server.log.find(({ target }) => target === path);
    while (!line()) await server.get('/healthz');
    expect(line()).toMatchObject({ status: 200, aborted: true });
  });

  it('a damaged file cuts it off, so that no client takes a part for the whole', async () => {
    await publishMarket(serving, largeMarket(1));
    const name = readdirSync(serving).find((file) => file.startsWith('candles-1d-closed'))!;
    const bytes = readFileSync(join(serving, name));
    bytes[Math.floor(bytes.length * 0.9)] ^= 1;
    writeFileSync(join(serving, name), bytes);
    server = await startTestServer(dataDir, NOW_MS);
    await expect(bodyOf(await openAnswer())).rejects.toThrow('aborted');
    const failure = server.log.find(({ err }) => err !== undefined);
    expect(JSON.stringify(failure)).toContain('does not match its checksum');
    expect((await server.get('/healthz')).status).toBe(200);
  });
});
