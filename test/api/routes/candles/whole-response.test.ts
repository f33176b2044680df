/**
 * A reader can tell a whole streamed response from a cut one. A proxy that speaks HTTP/1.0, or that
 * ends its own response well when the server dies, once passed on half of a universe as all of it.
 */

import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { parquetRows } from '../../../support/parquet-rows.ts';
import { someOf } from '../../../support/store-runs.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import { publishIntradayMarket } from '../../support/intraday-market.ts';
import { raw } from '../../support/raw-socket.ts';

const fixture = useFixtureServer({}, publishIntradayMarket);

// Bars as stored, minutes as stored, and those made of either; in short form one window of each.
const CANDLES = ['1d', '1m', '1M', '5m', '15m', '1h', '1w', '4h'].flatMap((interval) => [
  `candles?symbols=*&interval=${interval}`,
  `candles?symbols=*&interval=${interval}&limit=3`,
  `candles?symbols=ABC,MIN,WAIT&interval=${interval}&from=2025-11-03&to=2025-12-24T16:00:00Z`,
]);
const INDICATORS = ['1d', '1w', '1M'].flatMap((interval) => [
  `technical?symbols=*&indicators=sma,macd&interval=${interval}`,
  `technical?symbols=*&indicators=sma&interval=${interval}&latest=true`,
  `technical?symbols=*&indicators=sma&interval=${interval}&latest=true&limit=5`,
  `technical?symbols=ABC,WAIT&indicators=rsi&interval=${interval}&limit=5&to=2025-12-01`,
]);
const BULK = [...someOf(CANDLES, 4), 'candles?symbols=WAIT', ...someOf(INDICATORS, 3)];

describe.each(BULK)('%s', (query) => {
  it('has its count of rows in the head, in each format', async () => {
    const csv = await fixture.server.get(`/v1/svc/${query}&format=csv`);
    expect(csv.status, csv.text.slice(0, 200)).toBe(200);
    const rows = csv.text.split('\r\n').length - 2;
    expect(csv.headers.get('X-SVC-Rows')).toBe(String(rows));
    const arrow = await fixture.server.get(`/v1/svc/${query}&format=arrow`);
    expect(arrow.headers.get('X-SVC-Rows')).toBe(String(rows));
    expect(tableFromIPC(arrow.bytes).numRows).toBe(rows);
    const parquet = await fixture.server.get(`/v1/svc/${query}&format=parquet`);
    expect(parquet.headers.get('X-SVC-Rows')).toBe(String(rows));
    expect(await parquetRows(parquet.bytes)).toHaveLength(rows);
  });
});

const STREAMED = [
  '/v1/svc/candles?symbols=*&format=csv',
  '/v1/svc/candles?symbols=*&format=arrow',
  '/v1/svc/candles?symbols=*&interval=15m&format=csv',
  '/v1/svc/technical?symbols=*&indicators=sma&format=csv',
  '/v2/aggs/ticker/ABC/range/1/day/2025-01-01/2025-12-31',
  '/v2/aggs/grouped/locale/us/market/stocks/2025-12-24',
];

/** Sends a request of HTTP/1.0, as nginx does by default; the head has small letters. */
async function oldReply(path: string, more = '') {
  const { address, rawKey } = fixture.server;
  const sent = `GET ${path} HTTP/1.0\r\nX-API-Key: ${rawKey}\r\n${more}\r\n`;
  const received = await raw(address, sent);
  const at = received.indexOf('\r\n\r\n');
  return { head: received.slice(0, at).toLowerCase(), body: received.slice(at + 4) };
}

describe.each(STREAMED)('HTTP/1.0 %s', (path) => {
  it('has a length', async () => {
    const { bytes } = await fixture.server.get(path);
    for (const more of ['', 'Accept-Encoding: gzip, br\r\n']) {
      const { head } = await oldReply(path, more);
      expect(head).toContain(' 200 ');
      expect(head).not.toContain('transfer-encoding');
      expect(head).not.toContain('content-encoding');
      const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
      // Ids of requests differ, not in their length.
      expect(length).toBe(bytes.length);
    }
  });
});

describe('a body beyond the bound', () => {
  useLimits(limits.bulk, { lengthBytesMax: 3000 });

  it.each(STREAMED.slice(0, 5))('is refused for HTTP/1.0: %s', async (path) => {
    const { head, body } = await oldReply(path);
    expect(head).toContain(' 426 ');
    expect(head).toContain('upgrade: http/1.1');
    expect(body).toContain('proxy_http_version 1.1');
    expect((await fixture.server.get(path)).status).toBe(200);
  });
});

it('a short body has a length in HTTP/1.1 too, a long one has chunks', async () => {
  const { address, rawKey } = fixture.server;
  const ask = (path: string) =>
    raw(
      address,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${rawKey}\r\nConnection: close\r\n\r\n`,
    );
  const short = await ask('/v1/svc/candles?symbols=ABC&limit=3&format=csv');
  expect(short).toMatch(/^Content-Length: \d+/im);
  const long = await ask('/v1/svc/candles?symbols=*&format=csv');
  expect(long).toMatch(/^Transfer-Encoding: chunked/im);
});

describe('many bars to resample', () => {
  useLimits(limits.bulk, { countedRowsMax: 1000 });

  it('are not counted first', async () => {
    const path = '/v1/svc/candles?symbols=*&format=csv&interval';
    expect((await fixture.server.get(`${path}=15m`)).headers.get('X-SVC-Rows')).toBeNull();
    expect((await fixture.server.get(`${path}=1m`)).headers.get('X-SVC-Rows')).not.toBeNull();
  });

  it.each(['csv', 'arrow', 'parquet'])('have their count in the trailer of %s', async (format) => {
    const { address, rawKey } = fixture.server;
    const ask = (query: string, coding = '') =>
      raw(
        address,
        `GET /v1/svc/candles?symbols=*&interval=15m&${query} HTTP/1.1\r\nHost: x\r\n` +
          `X-API-Key: ${rawKey}\r\nAccept-Encoding: ${coding}\r\nConnection: close\r\n\r\n`,
      );
    const csv = await fixture.server.get('/v1/svc/candles?symbols=*&interval=15m&format=csv');
    const rows = csv.text.split('\r\n').length - 2;
    for (const coding of ['', 'gzip']) {
      const long = await ask(`format=${format}`, coding);
      expect(long).toMatch(/^Trailer: X-SVC-Rows\r\n/m);
      expect(long.slice(-60)).toMatch(new RegExp(`\r\n0\r\nX-SVC-Rows: ${rows}\r\n\r\n$`));
    }
    // A body with a length has no chunks, so no trailer either.
    expect(await ask('format=csv&limit=1')).not.toContain('Trailer');
    expect(await ask('format=csv&limit=1', 'gzip')).toMatch(/\r\n0\r\nX-SVC-Rows: \d+\r\n\r\n$/);
  });
});
