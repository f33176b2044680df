/**
 * The lines of clients/python/README.md with the libraries that they are for, each fetched from its
 * registry into an environment of the test.
 */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../support/folders.ts';
import { PACKAGE } from '../support/python-package.ts';
import { python } from '../support/tools.ts';
import { FUND, STOCK, useContractMarket } from './contract-market.ts';

const market = useContractMarket();
const run = promisify(execFile);
const folder = sharedFolder();
const interpreter = join(folder, 'bin/python');
const INSTALL_MS = 1_800_000;

const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const rows = [...readme.matchAll(/^\| ([A-Za-z-]+) (\d[\w.]*) \| `(.*?)`/gm)].map(
  ([, name, version, line]) => ({ name, version, line }),
);

/** Makes the names that a line uses, and returns what a whole run of it gives. */
const PROGRAM = `
import json, sys, tapeworks
import matplotlib
matplotlib.use("agg")
address, key, name, line, symbols = sys.argv[1:5] + [sys.argv[5].split(",")]
tw = tapeworks.connect(address, key, progress=False)
closes = tw.bars(symbols, wide="close").pd()
bars = tw.bars(symbols[0]).pd(index=True)

def bt():
    import bt
    steps = [bt.algos.RunMonthly(), bt.algos.SelectAll(), bt.algos.WeighEqually(), bt.algos.Rebalance()]
    done = eval(line, {**globals(), "bt": bt, "strategy": bt.Strategy("equal", steps)})
    return float(done.prices.iloc[-1, 0])

def ffn():
    import ffn
    stats = eval(line, {**globals(), "ffn": ffn}).stats
    held = closes.dropna()[symbols[0]]
    return float(stats.loc["total_return", symbols[0]] - (held.iloc[-1] / held.iloc[0] - 1))

def alphalens():
    from alphalens.utils import get_clean_factor_and_forward_returns
    return len(eval(line, {**globals(), **locals()}))

def vectorbt():
    import vectorbt
    return float(eval(line, {**globals(), "vectorbt": vectorbt}).total_return()[symbols[0]])

def mplfinance():
    import mplfinance
    eval(line, {**globals(), "mplfinance": mplfinance})
    import matplotlib.pyplot as plots
    return len(plots.get_fignums())

def skfolio():
    from skfolio.optimization import MeanRisk
    from skfolio.preprocessing import prices_to_returns
    return float(eval(line, {**globals(), **locals()}).weights_.sum())

def PyPortfolioOpt():
    from pypfopt import EfficientFrontier
    from pypfopt.expected_returns import mean_historical_return
    from pypfopt.risk_models import sample_cov
    return sum(eval(line, {**globals(), **locals()}).min_volatility().values())

def quantstats():
    import quantstats
    return float(eval(line, {**globals(), "quantstats": quantstats}))

def backtesting():
    from backtesting import Backtest, Strategy as Base
    class Strategy(Base):
        def init(self): pass
        def next(self):
            if not self.position: self.buy()
    return float(eval(line, {**globals(), **locals()}).run()["Exposure Time [%]"])

def backtrader():
    import backtrader
    cerebro = backtrader.Cerebro()
    cerebro.adddata(eval(line, {**globals(), "backtrader": backtrader}))
    class Count(backtrader.Strategy):
        closes = []
        def next(self): Count.closes.append(self.data.close[0])
    cerebro.addstrategy(Count)
    cerebro.run()
    assert Count.closes == bars["close"].tolist()
    return len(Count.closes)

print(json.dumps(globals()[name.split("-")[0]]()))`;

describe.skipIf(!python)('the table of backtest libraries', () => {
  beforeAll(async () => {
    await run(String(python), ['-m', 'venv', folder]);
    const install = (...names: string[]) =>
      run(interpreter, ['-m', 'pip', 'install', '--quiet', '--prefer-binary', ...names]);
    const pinned = rows.map(({ name, version }) => `${name}==${version}`);
    await install('pandas==2.3.3', 'pyarrow==26.0.1', 'six==1.17.0', ...pinned);
    // skfolio asks for plotly 6, which vectorbt cannot read. It computes with both.
    await install('plotly==5.24.1');
  }, INSTALL_MS);

  it('has ten libraries', () => {
    expect(rows).toHaveLength(10);
  });

  it.each(rows)(
    '$name $version takes a result in one line',
    async ({ name, line }) => {
      const { address, rawKey } = market.server;
      const found = await market.server.get('/v1/svc/symbols?type=stock&limit=14');
      const stocks = (found.json as { data: { symbol: string }[] }).data.map((one) => one.symbol);
      const symbols = [...new Set([STOCK, FUND, ...stocks])].join();
      const env = { PATH: process.env.PATH, PYTHONPATH: PACKAGE, HOME: folder };
      const args = ['-W', 'ignore', '-c', PROGRAM, address, rawKey, name, line, symbols];
      const { stdout } = await run(interpreter, args, { env });
      const value = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      expect(Number(value)).not.toBeNaN();
      const { json } = await market.server.get(`/v1/svc/technical/${STOCK}?limit=50000`);
      const bars = (json as { candles: { close: number }[] }).candles;
      if (name === 'backtrader') expect(value).toBe(bars.length);
      if (name === 'mplfinance') expect(value).toBe(1);
      if (name === 'ffn') expect(value).toBeCloseTo(0, 9);
      if (['skfolio', 'PyPortfolioOpt'].includes(name)) expect(value).toBeCloseTo(1, 9);
      if (name.startsWith('alphalens')) expect(value).toBeGreaterThan(bars.length);
      const held = (bars.at(-1)?.close ?? 0) / bars[0].close - 1;
      if (name === 'vectorbt') expect(value).toBeCloseTo(held, 9);
    },
    INSTALL_MS,
  );
});
