/**
 * Clients of Polygon.io, as Massive was called, that are still installed: they send parameters that
 * Massive's newer ones do not. Each is fetched from its registry into a folder of the test.
 */

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../support/folders.ts';
import { npm, python } from '../support/tools.ts';
import { STOCK, useContractMarket } from './contract-market.ts';

const market = useContractMarket();
const run = promisify(execFile);
const folder = sharedFolder();
const INSTALL_MS = 600_000;

async function closes(query: string): Promise<number[]> {
  const { json } = await market.server.get(`/v1/svc/technical/${STOCK}?${query}`);
  return (json as { candles: { close: number }[] }).candles.map(({ close }) => close);
}

describe.skipIf(!python)('polygon 1.2.8 of PyPI', () => {
  const target = join(folder, 'python');
  beforeAll(async () => {
    const args = ['-m', 'pip', 'install', '--quiet', '--target', target, 'polygon==1.2.8'];
    await run(String(python), args);
  }, INSTALL_MS);

  it(
    'reads bars, indicators, tickers and actions with its defaults',
    async () => {
      const program = `
import json, polygon
key, address, stock = "${market.server.rawKey}", "${market.server.address}", "${STOCK}"
stocks, reference = polygon.StocksClient(key), polygon.ReferenceClient(key)
stocks.BASE = reference.BASE = address
window = (stock, "2026-01-05", "2026-11-13")
print(json.dumps([
  [bar["c"] for bar in stocks.get_aggregate_bars(*window)["results"]],
  [bar["c"] for bar in stocks.get_aggregate_bars(*window, full_range=True, run_parallel=False, warnings=False)],
  stocks.get_grouped_daily_bars("2026-11-13")["status"],
  stocks.get_previous_close(stock)["results"][0]["c"],
  stocks.get_daily_open_close(stock, "2026-11-13")["close"],
  [stocks.get_sma(stock)["status"], stocks.get_ema(stock)["status"], stocks.get_rsi(stock)["status"]],
  stocks.get_macd(stock, long_window_size=26, short_window_size=12, signal_window_size=9)["status"],
  len(reference.get_tickers(all_pages=True)),
  reference.get_tickers(stock)["results"][0]["ticker"],
  reference.get_ticker_details(stock)["results"]["ticker"],
  [reference.get_stock_splits(stock)["status"], reference.get_stock_dividends(stock)["status"]],
]))`;
      const env = { PATH: process.env.PATH, PYTHONPATH: target };
      const { stdout } = await run(String(python), ['-c', program], { env });
      const daily = await closes('from=2026-01-05&to=2026-11-13');
      const active = await market.server.get('/v1/svc/symbols?limit=1&active=true');
      // The client itself prints warnings before.
      expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual([
        daily,
        daily,
        'OK',
        (await closes('limit=1'))[0],
        daily.at(-1),
        ['OK', 'OK', 'OK'],
        'OK',
        (active.json as { total: number }).total,
        STOCK,
        STOCK,
        ['OK', 'OK'],
      ]);
    },
    INSTALL_MS,
  );
});

describe.skipIf(!npm)('@polygon.io/client-js 7.4.0', () => {
  const target = join(folder, 'javascript');
  beforeAll(async () => {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', target];
    await run(String(npm), ['install', ...options, '@polygon.io/client-js@7.4.0']);
  }, INSTALL_MS);

  it('reads bars, indicators, tickers and actions with its defaults', async () => {
    const { restClient } = await import(
      join(target, 'node_modules/@polygon.io/client-js/dist/main.js')
    );
    const { stocks, reference } = restClient(market.server.rawKey, market.server.address);
    const bars = await stocks.aggregates(STOCK, 1, 'day', '2026-01-05', '2026-11-13');
    const daily = await closes('from=2026-01-05&to=2026-11-13');
    expect(bars.results.map(({ c }: { c: number }) => c)).toEqual(daily);
    expect((await stocks.aggregatesGroupedDaily('2026-11-13')).status).toBe('OK');
    expect((await stocks.previousClose(STOCK)).results).toHaveLength(1);
    expect((await stocks.dailyOpenClose(STOCK, '2026-11-13')).close).toBe(daily.at(-1));
    for (const name of ['sma', 'ema', 'rsi', 'macd']) {
      expect((await stocks[name](STOCK)).results.values, name).toHaveLength(10);
    }
    expect((await reference.tickers({ limit: 2 })).results).toHaveLength(2);
    expect((await reference.tickerDetails(STOCK)).results.ticker).toBe(STOCK);
    for (const list of ['stockSplits', 'dividends']) {
      expect((await reference[list]({ ticker: STOCK })).status, list).toBe('OK');
    }
    await expect(stocks.lastTrade(STOCK)).rejects.toThrow('No such path');
  });
});

describe.skipIf(!npm)('@polygon.io/client-js 8.2.0', () => {
  const target = join(folder, 'javascript-8');
  beforeAll(async () => {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', target];
    await run(String(npm), ['install', ...options, '@polygon.io/client-js@8.2.0']);
  }, INSTALL_MS);

  it('reads bars, an indicator, tickers and actions with its defaults', async () => {
    const { restClient } = await import(
      join(target, 'node_modules/@polygon.io/client-js/dist/main.js')
    );
    const client = restClient(market.server.rawKey, market.server.address);
    const window = [STOCK, 1, 'day', '2026-01-05', '2026-11-13'];
    const { results } = await client.getStocksAggregates(...window, true, 'asc', 500_000);
    const daily = await closes('from=2026-01-05&to=2026-11-13');
    expect(results.map(({ c }: { c: number }) => c)).toEqual(daily);
    expect((await client.getGroupedStocksAggregates('2026-11-13', true, false)).status).toBe('OK');
    expect((await client.getPreviousStocksAggregates(STOCK)).results).toHaveLength(1);
    expect((await client.getStocksSMA(STOCK)).results.values).toHaveLength(10);
    expect((await client.getTicker(STOCK)).results.ticker).toBe(STOCK);
    expect((await client.listDividends(STOCK)).status).toBe('OK');
  });
});

const goProgram = (module: string) => `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	polygon "${module}/rest"
	"${module}/rest/models"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	key, address, stock := os.Args[1], os.Args[2], os.Args[3]
	client, ctx := polygon.New(key), context.Background()
	client.HTTP.SetBaseURL(address)
	day := func(text string) time.Time { t, err := time.Parse("2006-01-02", text); must(err); return t }
	from, to := models.Millis(day("2026-01-06")), models.Millis(day("2026-11-14"))
	closes := []float64{}
	bars := client.ListAggs(ctx, models.ListAggsParams{Ticker: stock, Multiplier: 1, Timespan: "day", From: from, To: to}.WithAdjusted(true).WithOrder(models.Asc).WithLimit(60))
	for bars.Next() {
		closes = append(closes, bars.Item().Close)
	}
	must(bars.Err())
	tickers := []string{}
	list := client.ListTickers(ctx, models.ListTickersParams{}.WithTicker(models.EQ, stock).WithActive(true).WithMarket(models.AssetStocks).WithSort(models.TickerSymbol).WithOrder(models.Asc).WithLimit(5000))
	for list.Next() {
		tickers = append(tickers, list.Item().Ticker)
	}
	must(list.Err())
	ranges := [][]string{}
	for _, comparator := range []models.Comparator{models.GT, models.GTE, models.LT, models.LTE} {
		found := []string{}
		rows := client.ListTickers(ctx, models.ListTickersParams{}.WithTicker(comparator, stock).WithLimit(3))
		for rows.Next() {
			found = append(found, rows.Item().Ticker)
		}
		must(rows.Err())
		ranges = append(ranges, found)
	}
	dividends := client.ListDividends(ctx, models.ListDividendsParams{}.WithTicker(models.EQ, stock).WithSort(models.Sort("pay_date")).WithOrder(models.Asc))
	count := 0
	for dividends.Next() {
		count++
	}
	must(dividends.Err())
	_, err := client.GetSMA(ctx, models.GetSMAParams{Ticker: stock}.WithTimespan(models.Day).WithWindow(20).WithAdjusted(true).WithSeriesType(models.Close).WithOrder(models.Desc).WithExpandUnderlying(false))
	must(err)
	grouped, err := client.GetGroupedDailyAggs(ctx, models.GetGroupedDailyAggsParams{Locale: models.US, MarketType: models.Stocks, Date: models.Date(day("2026-11-13"))}.WithAdjusted(true).WithIncludeOTC(false))
	must(err)
	_, none := client.GetLastTrade(ctx, &models.GetLastTradeParams{Ticker: stock})
	text, err := json.Marshal([]any{closes, tickers, ranges, count > 0, len(grouped.Results) > 0, none.Error()})
	must(err)
	fmt.Println(string(text))
}
`;

function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// The module proxy has no version 3 of Massive's client.
describe.skipIf(!hasGo()).each([
  ['github.com/polygon-io/client-go', 'v1.16.10'],
  ['github.com/massive-com/client-go/v2', 'v2.0.0'],
])('%s %s', (module, version) => {
  const target = join(folder, `go-${version}`);
  beforeAll(async () => {
    mkdirSync(target);
    writeFileSync(join(target, 'main.go'), goProgram(module));
    const options = { cwd: target };
    await run('go', ['mod', 'init', 'client'], options);
    await run('go', ['get', `${module}@${version}`], options);
    await run('go', ['mod', 'tidy'], options);
    await run('go', ['build', '-o', 'client', '.'], options);
  }, INSTALL_MS);

  it('reads bars of all pages, tickers by WithTicker, dividends and an indicator', async () => {
    const { rawKey, address } = market.server;
    const { stdout } = await run(join(target, 'client'), [rawKey, address, STOCK]);
    const [bars, tickers, ranges, hasDividends, hasGrouped, refusal] = JSON.parse(stdout);
    const directory = await market.server.get('/v1/svc/symbols?limit=100');
    const all = (directory.json as { data: { symbol: string }[] }).data.map((one) => one.symbol);
    // A moment in UTC lies in the day before it in New York.
    expect(bars).toEqual(await closes('from=2026-01-05&to=2026-11-13'));
    expect(tickers).toEqual([STOCK]);
    expect(ranges).toEqual([
      all.filter((ticker) => ticker > STOCK),
      all.filter((ticker) => ticker >= STOCK),
      all.filter((ticker) => ticker < STOCK),
      all.filter((ticker) => ticker <= STOCK),
    ]);
    expect([hasDividends, hasGrouped]).toEqual([true, true]);
    expect(refusal).toContain('NOT_FOUND');
  });
});
