/**
 * The page of docs/openbb.md in Chromium. TradingView gives its library and its class for datafeeds
 * to licensees alone, so both are stand-ins: the class sends the requests that the stock one sends,
 * without a header, and the chart draws with TradingView's lightweight charts.
 */

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STOCK, useContractMarket } from '../../contract/contract-market.ts';
import { launchBrowser } from '../../support/browser.ts';
import { chromium } from '../../support/tools.ts';

const market = useContractMarket({ corsOrigins: ['*'] });

const DATAFEED = `
window.Datafeeds = { UDFCompatibleDatafeed: class {
  constructor(url) { this.url = url; this.configuration = this.send('config'); }
  async send(path, parameters = {}) {
    const query = new URLSearchParams(parameters);
    const response = await fetch(this.url + '/' + path + (query.size ? '?' + query : ''), { credentials: 'same-origin' });
    return response.headers.get('Content-Type').startsWith('text') ? response.text() : response.json();
  }
  bars(symbol, resolution, from, to, countback) {
    return this.send('history', { symbol: symbol.ticker, resolution, from, to, countback, currencyCode: symbol.currency_code });
  }
} };`;

const LIBRARY = `
window.TradingView = { widget: class {
  constructor(options) { window.shown = this.show(options).catch((error) => ({ error: String(error) })); }
  async show({ container, symbol: name, interval, datafeed }) {
    const configuration = await datafeed.configuration;
    const now = Number(await datafeed.send('time'));
    const found = await datafeed.send('search', { limit: 30, query: name.toUpperCase(), type: '', exchange: '' });
    const symbol = await datafeed.send('symbols', { symbol: name });
    const from = now - 300 * 86400;
    const bars = await datafeed.bars(symbol, interval, from, now, 120);
    const older = await datafeed.bars(symbol, interval, 0, bars.t[0], 120);
    const newest = await datafeed.bars(symbol, interval, now - 10 * 86400, now, 2);
    const window_ = { symbol: symbol.ticker, from, to: now, resolution: interval };
    const marks = await datafeed.send('marks', window_);
    const actions = await datafeed.send('timescale_marks', window_);
    const chart = LightweightCharts.createChart(document.getElementById(container), { width: 800, height: 400 });
    const series = chart.addSeries(LightweightCharts.CandlestickSeries);
    const rows = [older, bars].flatMap(({ t, o, h, l, c }) => t.map((time, i) => ({ time, open: o[i], high: h[i], low: l[i], close: c[i] })));
    series.setData(rows);
    return { configuration, found, symbol, closes: rows.map(({ close }) => close), newest: newest.c, marks, actions };
  }
} };`;

const standalone = new URL(
  '../../../node_modules/lightweight-charts/dist/lightweight-charts.standalone.production.js',
  import.meta.url,
);

/** The page as documented, for a symbol of the market and with a key of its own. */
function documentedPage(rawKey: string): string {
  const page = /```html\n(.*?)```/s.exec(readFileSync('docs/openbb.md', 'utf8'))?.[1] ?? '';
  return page
    .replace('http://127.0.0.1:8787', market.server.address)
    .replace('svc_live_…', rawKey)
    .replace("'AAPL'", `'${STOCK}'`);
}

describe.skipIf(!chromium)('a page with a chart of TradingView', () => {
  let pages: Server;
  let html = '';
  beforeAll(async () => {
    const scripts: Record<string, string> = {
      '/charting_library/charting_library.standalone.js': `${readFileSync(standalone, 'utf8')}\n${LIBRARY}`,
      '/datafeeds/udf/dist/bundle.js': DATAFEED,
    };
    pages = createServer(({ url = '' }, response) => {
      const type = url in scripts ? 'text/javascript' : 'text/html; charset=utf-8';
      response.writeHead(200, { 'Content-Type': type }).end(scripts[url] ?? html);
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => pages?.close());

  it('draws the bars of the API from another origin, with a key in the address alone', async () => {
    const scopes = ['quotes:read', 'technicals:read', 'analyst:read'];
    const rawKey = await market.server.newKey({ scopes });
    html = documentedPage(rawKey);
    expect(html.match(/<script/g)).toHaveLength(3);
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 840, height: 440 } });
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', ({ message }) => complaints.push(message));
      await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
      const shown = (await page.evaluate('window.shown')) as Record<string, never>;
      expect(shown).not.toHaveProperty('error');
      // A favicon is the browser's own request.
      expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
      const { json } = await market.server.get(`/v1/svc/technical/${STOCK}?limit=240`);
      const closes = (json as { candles: { close: number }[] }).candles.map(({ close }) => close);
      expect(shown.closes).toEqual(closes);
      expect(shown.newest).toEqual(closes.slice(-2));
      expect(shown.configuration).toMatchObject({ supports_search: true, supports_marks: true });
      expect(shown.found).toContainEqual(expect.objectContaining({ symbol: STOCK }));
      expect(shown.symbol).toMatchObject({ ticker: STOCK, currency_code: 'USD' });
      expect(Array.isArray(shown.marks) && Array.isArray(shown.actions)).toBe(true);
      // Rising and falling candles, in the chart's own colours.
      const drawn = `[...document.querySelectorAll('#chart canvas')].flatMap((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return [...new Set(new Uint32Array(data.buffer))];
      })`;
      const [rising, falling] = [0xff9aa626, 0xff5053ef];
      await expect
        .poll(() => page.evaluate(drawn))
        .toEqual(expect.arrayContaining([rising, falling]));
    } finally {
      await browser.close();
    }
    const lines = market.server.log.filter(({ target }) => String(target).startsWith('/udf'));
    expect(lines.length).toBeGreaterThan(7);
    for (const { target } of lines) expect(target).not.toContain(rawKey.slice(0, 12));
  });
});
