/**
 * Child process: the technical answer as it is usually built in Node, a DuckDB query per request,
 * technicalindicators for the series, `JSON.stringify` for the body, behind Express.
 *
 * It reads only the bars it answers and the 33 that the longest warm-up needs, which is less than
 * a right answer takes: recursive indicators start at the first bar of the series.
 */

import { DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api';
import express from 'express';
import { BollingerBands, EMA, MACD, RSI, SMA } from 'technicalindicators';
import { listen } from '../../src/api/http/listen.ts';
import { createLog } from '../../src/api/http/log.ts';
import { reportReady } from '../../src/bench/serving/child.ts';

export interface PeerReady {
  address: string;
}

const WARMUP_BARS = 33;
const [duckdbPath, barCount] = process.argv.slice(2);
const instance = await DuckDBInstance.create(duckdbPath, { access_mode: 'READ_ONLY' });
const QUERY = `
  SELECT * FROM (
    SELECT epoch_ms(ts)::DOUBLE AS ms, open, high, low, close, volume
    FROM candles WHERE symbol = $1 ORDER BY ts DESC LIMIT ${Number(barCount) + WARMUP_BARS})
  ORDER BY ms`;

/** Number of statements, one for each thread of Node's pool: a running statement can't be bound. */
const POOL_THREADS = 4;
const idle: DuckDBPreparedStatement[] = [];
const waiting: ((statement: DuckDBPreparedStatement) => void)[] = [];
for (let i = 0; i < POOL_THREADS; i++) idle.push(await (await instance.connect()).prepare(QUERY));

async function readRows(symbol: string): Promise<number[][]> {
  const statement =
    idle.pop() ?? (await new Promise<DuckDBPreparedStatement>((resolve) => waiting.push(resolve)));
  try {
    statement.bindVarchar(1, symbol);
    return (await statement.runAndReadAll()).getRows() as number[][];
  } finally {
    const next = waiting.shift();
    if (next) next(statement);
    else idle.push(statement);
  }
}

async function technicalAnswer(symbol: string) {
  const rows = await readRows(symbol);
  const values = rows.map((row) => row[4]);
  const shown = rows.slice(-Number(barCount));
  const timestamps = shown.map(([ms]) => new Date(ms).toISOString());
  const points = <T>(series: T[], point: (value: T) => object) =>
    series.slice(-shown.length).map((value, i) => ({ timestamp: timestamps[i], ...point(value) }));
  const single = (series: number[]) => points(series, (value) => ({ value }));
  return {
    symbol,
    interval: '1d',
    indicators: {
      sma: single(SMA.calculate({ period: 14, values })),
      ema: single(EMA.calculate({ period: 14, values })),
      rsi: single(RSI.calculate({ period: 14, values })),
      macd: points(
        MACD.calculate({
          values,
          fastPeriod: 12,
          slowPeriod: 26,
          signalPeriod: 9,
          SimpleMAOscillator: false,
          SimpleMASignal: false,
        }),
        ({ MACD: value, signal, histogram }) => ({ value, signal, histogram }),
      ),
      bollinger: points(
        BollingerBands.calculate({ period: 14, stdDev: 2, values }),
        ({ upper, middle, lower }) => ({ value: middle, upper, middle, lower }),
      ),
    },
    candles: shown.map(([, open, high, low, close, volume], i) => ({
      timestamp: timestamps[i],
      open,
      high,
      low,
      close,
      volume,
    })),
  };
}

const app = express();
app.get('/v1/svc/technical/:symbol', async (request, response) => {
  response.json(await technicalAnswer(request.params.symbol));
});
const server = await listen(app, { host: '127.0.0.1', port: 0 }, createLog('silent'));
const ready: PeerReady = { address: server.address };
reportReady(ready, () => server.close());
