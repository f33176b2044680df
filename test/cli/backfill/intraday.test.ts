/** A vendor's real minutes from their file to every intraday answer and export. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply, TestServer } from '../../api/support/test-server.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { someOf } from '../../support/store-runs.ts';
import { duckdbRows } from '../support/exported.ts';
import { useCliFolder } from '../support/run-cli.ts';

const MINUTES = realdata('intraday/skender_intraday_1m_SPY.csv');

/** The four regular sessions of the file, put together by DuckDB; all of them opened at 14:30Z. */
function barsOf(minutes: number): Promise<Record<string, unknown>[]> {
  return duckdbRows(
    `WITH rows AS (
       SELECT *, date_part('hour', date) * 60 + date_part('minute', date) - 570 AS minute
       FROM read_csv($1, columns = {date: 'TIMESTAMP', open: 'DOUBLE', high: 'DOUBLE',
         low: 'DOUBLE', close: 'DOUBLE', volume: 'DOUBLE'}))
     SELECT strftime(date::DATE + INTERVAL 5 HOUR + (570 + any_value(floor(minute / ${minutes}) *
         ${minutes}))::INTEGER * INTERVAL 1 MINUTE, '%Y-%m-%dT%H:%M:%S.000Z') AS timestamp,
       first(open ORDER BY date) AS open, max(high) AS high, min(low) AS low,
       last(close ORDER BY date) AS close, sum(volume) AS volume
     FROM rows WHERE minute >= 0 AND minute < 390
     GROUP BY date::DATE, floor(minute / ${minutes}) ORDER BY timestamp`,
    MINUTES,
  );
}

describe.skipIf(!hasRealdata)('the minutes of SPY', () => {
  const folder = useCliFolder();
  let api: TestServer;
  let headers: Record<string, string>;

  beforeAll(async () => {
    const named = ['--symbol', 'SPY', '--interval', '1m'];
    await folder.json('backfill', 'files', 'candles', MINUTES, ...named);
    ({ headers } = await folder.key('live'));
    api = await folder.serve();
  });

  async function get(path: string): Promise<Reply> {
    const answer = await api.get(`/v1/svc/${path}`, headers);
    expect(answer.status, path).toBe(200);
    return answer;
  }

  it.each(
    someOf(
      [
        ['1m', 1, 1560],
        ['5m', 5, 312],
        ['15m', 15, 104],
        ['1h', 60, 28],
        ['4h', 240, 8],
      ],
      2,
    ),
  )('make the bars of %s that DuckDB makes of the file', async (interval, minutes, count) => {
    const answer = await get(`technical/SPY?interval=${interval}&limit=50000&indicators=sma:2`);
    const { candles, indicators } = answer.json as {
      candles: { close: number }[];
      indicators: Record<string, { value: number }[]>;
    };
    expect(candles).toEqual(await barsOf(minutes));
    expect(candles).toHaveLength(count);
    expect(indicators['sma:2']).toHaveLength(count - 1);
    expect(indicators['sma:2'][0].value).toBeCloseTo((candles[0].close + candles[1].close) / 2, 9);
  });

  it('are all that is known of the symbol, which is listed, quoted and screened', async () => {
    const { data } = (await get('symbols?search=spy')).json as { data: object[] };
    expect(data).toMatchObject([
      { symbol: 'SPY', firstBar: '2020-12-15', lastBar: '2020-12-18', source: 'files' },
    ]);
    const [last] = (await barsOf(1)).slice(-1);
    const quote = (await get('quotes/SPY')).json;
    expect(quote).toMatchObject({ price: last.close, timestamp: '2020-12-18T21:00:00.000Z' });
    const screen = (await get('screener')).json as { data: object[] };
    expect(screen.data).toMatchObject([{ symbol: 'SPY', price: last.close }]);
    const daily = (await get('technical/SPY?indicators=rsi')).json;
    expect(daily).toMatchObject({ candles: [], indicators: { rsi: [] } });
  });

  it.each(['1m', '1h'])(
    'of %s are exported beside the server as it answers them',
    async (interval) => {
      const exported = async (format: string) => {
        const out = join(folder.dataDir, `spy-${interval}.${format}`);
        const options = ['--format', format, '--out', out, '--interval', interval];
        const report = await folder.json('export', 'candles', ...options);
        expect(report).toMatchObject({ symbols: 1, rows: interval === '1m' ? 1560 : 28 });
        return out;
      };
      const answer = await get(`candles?symbols=*&interval=${interval}&format=csv`);
      const csv = readFileSync(await exported('csv'), 'utf8');
      expect(csv).toBe(answer.text);
      const arrow = tableFromIPC(readFileSync(await exported('arrow')));
      const names = ['symbol', 'timestamp', 'open', 'high', 'low', 'close', 'volume', 'adjustment'];
      expect(arrow.schema.names).toEqual(names);
      const bars = await barsOf(interval === '1m' ? 1 : 60);
      const closes = bars.map(({ close }) => close);
      expect([...(arrow.getChild('close')?.toArray() ?? [])]).toEqual(closes);
      const parquet = await duckdbRows('SELECT * FROM read_parquet($1)', await exported('parquet'));
      expect(Object.keys(parquet[0])).toEqual(names);
      expect(parquet.map(({ close }) => close)).toEqual(closes);
    },
  );
});
