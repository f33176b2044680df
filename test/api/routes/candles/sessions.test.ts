import { tableFromIPC } from 'apache-arrow';
import { expect, it } from 'vitest';
import { dateFromDay, dayFromDate } from '../../../../src/base/time/dates.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import {
  otherHours,
  publishSessionsMarket,
  SESSIONS_FROM,
  SESSIONS_TO,
} from '../../support/sessions-market.ts';

const fixture = useFixtureServer({}, publishSessionsMarket);

interface Candle {
  timestamp: string;
  tradeDate?: string | null;
  session?: string | null;
  close: number;
  volume: number;
}

async function candles(query: string, symbol = 'ABC'): Promise<Candle[]> {
  const path = `/v1/svc/technical/${symbol}?${query}${/limit=/.test(query) ? '' : '&limit=1000'}`;
  const { status, text } = await fixture.server.get(path);
  expect(status, text.slice(0, 300)).toBe(200);
  return JSON.parse(text).candles;
}

async function refusal(path: string): Promise<string> {
  const { status, text } = await fixture.server.get(path);
  expect(status, text.slice(0, 300)).toBe(400);
  return JSON.parse(text).error.message;
}

const WEEK = `from=${SESSIONS_FROM}&to=${SESSIONS_TO}T23:59:00-05:00`;

it.each(['1m', '5m', '15m', '1h', '4h'])('regular bars of %s are among all', async (interval) => {
  const regular = await candles(`interval=${interval}&${WEEK}`);
  expect(await candles(`interval=${interval}&session=regular&${WEEK}`)).toEqual(regular);
  const all = await candles(`interval=${interval}&session=all&${WEEK}`);
  const kept = all.filter(({ session }) => session === 'regular');
  expect(kept.map(({ session: _, tradeDate: __, ...bar }) => bar)).toEqual(regular);
  expect(all.map(({ timestamp }) => timestamp)).toEqual(
    all.map(({ timestamp }) => timestamp).sort(),
  );
  const extended = await candles(`interval=${interval}&session=extended&${WEEK}`);
  expect(extended).toEqual(all.filter(({ session }) => session && session !== 'overnight'));
  expect(new Set(all.map(({ session }) => session))).toEqual(
    new Set(['overnight', 'pre', 'regular', 'post', null]),
  );
});

it('minutes of other hours are those that were loaded, with volumes that add up', async () => {
  const minutes = await candles(`interval=1m&session=all&${WEEK}`);
  const others = minutes.filter(({ session }) => session !== 'regular');
  const loaded = otherHours();
  expect(others.map(({ timestamp }) => Date.parse(timestamp) * 1000)).toEqual(
    [...loaded.timestampUs].map(Number),
  );
  const hours = await candles(`interval=1h&session=all&${WEEK}`);
  const sum = (rows: Candle[]) => rows.reduce((total, { volume }) => total + volume, 0);
  for (const date of new Set(minutes.map(({ tradeDate }) => tradeDate))) {
    for (const session of ['overnight', 'pre', 'post', null]) {
      const of = (rows: Candle[]) =>
        rows.filter((row) => row.tradeDate === date && row.session === session);
      expect(sum(of(hours))).toBe(sum(of(minutes)));
    }
  }
});

it('no hour mixes sessions, and each begins at its session', async () => {
  const hours = await candles(`interval=1h&session=extended&${WEEK}`);
  const starts = new Set(
    hours.map(({ session, timestamp }) => `${session} ${timestamp.slice(14, 16)}`),
  );
  expect(starts).toEqual(new Set(['pre 00', 'regular 30', 'post 00']));
});

it.each(['1m', '5m', '1h'])('the newest bars of %s end the window', async (interval) => {
  const query = `interval=${interval}&session=extended`;
  const all = await candles(query);
  expect(await candles(`${query}&limit=9`)).toEqual(all.slice(-9));
  const to = all.at(-20)!.timestamp;
  expect(await candles(`${query}&limit=30&to=${to}`)).toEqual(all.slice(-49, -19));
});

it('bulk rows are those of technical answers, in CSV, Arrow and Parquet alike', async () => {
  const query = `interval=5m&session=all&${WEEK}`;
  const csv = await fixture.server.get(`/v1/svc/candles?symbols=ABC,NEW&format=csv&${query}`);
  const [header, ...rows] = csv.text.trimEnd().split('\r\n');
  expect(header).toBe('symbol,timestamp,tradeDate,session,open,high,low,close,volume,adjustment');
  expect(csv.headers.get('X-SVC-Rows')).toBe(String(rows.length));
  const abc = await candles(query);
  const ofAbc = rows.filter((row) => row.startsWith('ABC,')).map((row) => row.split(','));
  expect(ofAbc.map(([, timestamp, date, session]) => [timestamp, date, session])).toEqual(
    abc.map(({ timestamp, tradeDate, session }) => [timestamp, tradeDate ?? '', session ?? '']),
  );
  const arrow = await fixture.server.get(`/v1/svc/candles?symbols=ABC,NEW&${query}`);
  const table = tableFromIPC(arrow.bytes)
    .toArray()
    .map((row) => ({ ...row.toJSON() }));
  expect(
    table.map(({ symbol, timestamp, tradeDate, session, close }) => [
      symbol,
      new Date(Number(timestamp)).toISOString(),
      tradeDate === null ? '' : new Date(Number(tradeDate)).toISOString().slice(0, 10),
      session ?? '',
      String(close),
    ]),
  ).toEqual(
    rows.map((row) => {
      const [symbol, timestamp, date, session, , , , close] = row.split(',');
      return [symbol, timestamp, date, session, close];
    }),
  );
});

it('a symbol with bars of other hours alone has those', async () => {
  expect(await candles('interval=1m', 'NEW')).toEqual([]);
  const early = await candles('interval=1m&session=extended', 'NEW');
  expect(early.length).toBeGreaterThan(0);
  expect(new Set(early.map(({ session }) => session))).toEqual(new Set(['pre', 'post']));
});

it('days are of the regular session, and other sessions of them are refused', async () => {
  for (const path of [
    '/v1/svc/technical/ABC?session=extended',
    '/v1/svc/candles?symbols=ABC&session=all&interval=1w',
    '/v1/svc/technical?symbols=ABC&indicators=sma&session=all',
  ]) {
    expect(await refusal(path)).toMatch(/^session must be regular for 1[dw], whose bars/);
  }
  expect(await refusal('/v1/svc/technical/ABC?session=night&interval=1m')).toBe(
    'session must be one of regular, extended, all, got "night"',
  );
});

it('a volatility of a year needs the number of bars where sessions are chosen', async () => {
  const path = '/v1/svc/technical/ABC?interval=1m&session=extended&indicators=';
  expect(await refusal(`${path}historical_volatility:20`)).toContain(
    'write historical_volatility:period:year',
  );
  const { status } = await fixture.server.get(`${path}historical_volatility:20:241920`);
  expect(status).toBe(200);
});

it('the average of a day by volume begins with its trade date', async () => {
  const path = `/v1/svc/technical/ABC?interval=1m&session=all&indicators=vwap&limit=1000&${WEEK}`;
  const { text } = await fixture.server.get(path);
  const { candles: bars, indicators } = JSON.parse(text);
  const starts = bars.filter(
    (bar: Candle, at: number) => bar.tradeDate && bar.tradeDate !== bars[at - 1]?.tradeDate,
  );
  expect(starts.length).toBeGreaterThan(3);
  for (const { timestamp, open, high, low, close } of starts) {
    const point = indicators.vwap.find((one: Candle) => one.timestamp === timestamp);
    void open;
    expect(point.value).toBeCloseTo((high + low + close) / 3, 9);
  }
});

it('the origin of a bar outside of regular hours is that of its series', async () => {
  const [bar] = await candles(`interval=1m&session=extended&${WEEK}`);
  const path = `/v1/svc/candles/ABC/origin?interval=1m&at=${bar.timestamp}`;
  const { status, text } = await fixture.server.get(path);
  expect(status, text).toBe(200);
  expect(JSON.parse(text).sourceInterval).toBe('1m');
});

it('bars of one symbol with two price bases are refused where they would be mixed', async () => {
  const reason = /^session must be regular for BRK.B.* price basis/;
  expect(await refusal('/v1/svc/technical/BRK.B?interval=5m&session=all')).toMatch(reason);
  expect(await refusal('/v1/svc/candles?symbols=*&interval=5m&session=all')).toMatch(reason);
});

it('a week has the dates of its sessions', async () => {
  const all = await candles(`interval=15m&session=all&${WEEK}`);
  const dates = [...new Set(all.map(({ tradeDate }) => tradeDate))].filter((date) => date);
  expect(dates[0]).toBe(SESSIONS_FROM);
  expect(dates.every((date) => dateFromDay(dayFromDate(date!)) === date)).toBe(true);
});
