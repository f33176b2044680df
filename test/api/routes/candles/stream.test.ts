/** The bytes of bulk answers, and what happens while they are sent. */

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { Message, type RecordBatch } from 'apache-arrow/ipc/metadata/message';
import { beforeAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { limits } from '../../../../src/base/limits.ts';
import { sharedFolder } from '../../../support/folders.ts';
import { someOf } from '../../../support/store-runs.ts';
import { useLimits } from '../../../support/use-limits.ts';
import {
  type FixtureServer,
  useFixtureServer,
  useOwnServers,
} from '../../support/fixture-server.ts';
import {
  type FixtureSymbol,
  fixtureSymbols,
  publishMarket,
  weekdayBars,
} from '../../support/market-fixture.ts';

const CANDLES = '/v1/svc/candles?symbols=*';
const INDICATORS = '/v1/svc/technical?symbols=*&indicators=sma,macd,psar';
const BULK = [CANDLES, INDICATORS];

/** Stored as served, so that its bytes go out as they lie on the disk. */
function plainSymbol(symbol: string, barCount: number, seed: number): FixtureSymbol {
  const bars = weekdayBars(barCount, seed);
  return { symbol, basis: 'all', bars, splits: [], dividends: [], isCovered: false };
}

/** Fewer bars than by default, so that shorter series take several batches. */
const BATCH_ROWS_MAX = 4000;
/** Weeks from which 2026 becomes 1970. */
const WEEKS_BEFORE = 2922;

const COUNTS = { S0: 20, S1: 30, S2: 2000, S3: 10_000, S4: 10 };
const STORED = [plainSymbol('AAA', 1500, 1), plainSymbol('BBB', 1500, 2)];

/** Bars of the sixties, and one week of 1970. */
function oldSymbol(): FixtureSymbol {
  const old = plainSymbol('OLD', 400, 3);
  const shiftUs = BigInt(WEEKS_BEFORE * 7) * 86_400_000_000n;
  const timestampUs = old.bars.timestampUs.map((us) => us - shiftUs);
  return { ...old, bars: { ...old.bars, timestampUs } };
}

function market(): FixtureSymbol[] {
  const numbered = Object.entries(COUNTS).map(([name, count], i) => plainSymbol(name, count, i));
  const others = [
    oldSymbol(),
    ...numbered,
    plainSymbol('XXX', 3001, 5),
    plainSymbol('YYY', 1201, 6),
  ];
  const all = [...STORED, ...fixtureSymbols(), ...others];
  return all.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
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
  useLimits(limits.bulk, { batchRowsMax: BATCH_ROWS_MAX });
  const fixture = useFixtureServer({}, (folder) => publishMarket(folder, market()));
  const get = async (path: string) => (await fixture.server.get(path)).bytes;
  const candles = (symbols: string) => get(`/v1/svc/candles?symbols=${symbols}`);

  it('holds the very bytes of the stored columns', async () => {
    const bytes = Buffer.from(await candles('AAA,BBB'));
    for (const { bars } of STORED) {
      for (const column of Object.values(bars) as (Float64Array | BigInt64Array)[]) {
        const stored = Buffer.from(column.buffer, column.byteOffset, column.byteLength);
        expect(bytes.includes(stored)).toBe(true);
      }
    }
  });

  it.each(BULK)(
    'to %s has bodies at multiples of 64 bytes and zeros between buffers',
    async (path) => {
      const messages = framedMessages(await get(path.replace('*', 'ABC,BRK.B,NEW,RAW,XXX,YYY')));
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
    const table = tableFromIPC(await candles(Object.keys(COUNTS).join()));
    const rowCounts = table.batches.map(({ numRows }) => numRows);
    expect(rowCounts).toEqual([2050, BATCH_ROWS_MAX, BATCH_ROWS_MAX, 2000, 10]);
    const symbols = table.getChild('symbol')!;
    const counts = Object.values(COUNTS);
    const firstRows = counts.map((_, i) => counts.slice(0, i).reduce((a, b) => a + b, 0));
    expect(firstRows.map((row) => symbols.get(row))).toEqual(Object.keys(COUNTS));
  });

  it('has the right dates before 1970', async () => {
    const table = tableFromIPC(await candles('OLD'));
    const [timestamps, dates] = ['timestamp', 'date'].map((name) => table.getChild(name)!);
    const years = [dates.get(0), dates.get(399)].map((ms) => new Date(ms).getUTCFullYear());
    expect(years).toEqual([1968, 1970]);
    expect([...dates]).toEqual([...timestamps]);
  });

  it('has fewer rows a batch where rows are longer', async () => {
    const table = tableFromIPC(await get(INDICATORS.replace('*', 'S3')));
    const rowsMax = Math.floor((BATCH_ROWS_MAX * 9) / table.schema.names.length);
    const rowCounts = table.batches.map(({ numRows }) => numRows);
    expect(rowCounts.slice(0, 2)).toEqual([rowsMax, rowsMax]);
    expect(rowCounts.reduce((sum, count) => sum + count)).toBe(COUNTS.S3);
  });

  it('is the same to the byte for a repeated request', async () => {
    const [first, second] = [await candles('*'), await candles('*')];
    expect(Buffer.from(first).equals(second)).toBe(true);
  });
});

describe('while a response is sent', () => {
  const large = sharedFolder();
  const publishLarge = async (folder: string) => cpSync(large, folder, { recursive: true });
  const fixture = {} as FixtureServer;
  useOwnServers(fixture, publishLarge);
  const sandbox = () => modePaths(fixture.dataDir, 'sandbox').serving;

  beforeAll(async () => {
    // More than the kernel keeps for a client that takes nothing.
    const names = Array.from({ length: 24 }, (_, i) => `L${i + 10}`);
    const { bars, ...plain } = plainSymbol('', 10_000, 1);
    await publishMarket(
      large,
      names.map((symbol) => ({ ...plain, symbol, bars })),
    );
  });

  /** An answer whose headers have come and of whose body nothing is taken. */
  function openAnswer(path = CANDLES): Promise<IncomingMessage> {
    const { address, rawKey } = fixture.server;
    const headers = { 'X-API-Key': rawKey };
    return new Promise((resolve, reject) => {
      get(address + path, { headers }, (answer) => resolve(answer.pause())).on('error', reject);
    });
  }

  it.each(someOf(BULK, 2))(
    'others may be published: all of %s is of the version it began with',
    async (path) => {
      const { server } = fixture;
      const before = await server.get(path);
      const slow = await openAnswer(path);
      const etag = async () => (await server.get('/v1/svc/quotes/AAA')).headers.get('ETag');
      const first = await etag();
      // The second publish removes the files of the version that is being sent.
      for (const seed of [3, 4]) await publishMarket(sandbox(), [plainSymbol('AAA', 5, seed)]);
      while ((await etag()) === first) expect(slow.destroyed).toBe(false);
      const isSent = () => server.log.filter(({ target }) => target === path).length === 2;
      expect(isSent()).toBe(false);
      const bytes = await bodyOf(slow);
      expect(slow.headers.etag).toBe(before.headers.get('ETag'));
      expect(bytes.equals(before.bytes)).toBe(true);
    },
  );

  it.each(BULK)('a client that leaves ends %s, and the log says so', async (path) => {
    const { server } = fixture;
    const answer = await openAnswer(path);
    answer.destroy();
    const line = () => server.log.find(({ target }) => target === path);
    while (!line()) await server.get('/healthz');
    expect(line()).toMatchObject({ status: 200, aborted: true });
  });

  it('a damaged file cuts it off, so that no client takes a part for the whole', async () => {
    const { server } = fixture;
    const name = readdirSync(sandbox()).find((file) => file.startsWith('candles-1d-closed'))!;
    const bytes = readFileSync(join(sandbox(), name));
    bytes[Math.floor(bytes.length * 0.9)] ^= 1;
    writeFileSync(join(sandbox(), name), bytes);
    await expect(bodyOf(await openAnswer())).rejects.toThrow('aborted');
    const failure = server.log.find(({ err }) => err !== undefined);
    expect(JSON.stringify(failure)).toContain('does not match its checksum');
    expect((await server.get('/healthz')).status).toBe(200);
  });
});
