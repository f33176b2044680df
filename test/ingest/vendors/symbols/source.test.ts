import { copyFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ConfigError,
  ParameterError,
  SourceUnavailableError,
} from '../../../../src/base/errors.ts';
import type { ListedSecurity } from '../../../../src/ingest/directory/listed-security.ts';
import { parseSecTickers } from '../../../../src/ingest/directory/parse-sec-tickers.ts';
import { parseNasdaqTrader } from '../../../../src/ingest/vendors/symbols/parse-nasdaq-trader.ts';
import {
  fetchSymbolDirectory,
  mergeListings,
  readSymbolDirectory,
} from '../../../../src/ingest/vendors/symbols/source.ts';
import { freshFolder, sharedFolder } from '../../../support/folders.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { NASDAQ_TEXT, OTHER_TEXT, SEC_TEXT } from '../../support/directory-texts.ts';
import { removalXml } from '../../support/removal-forms.ts';
import { testContext } from '../../support/segment-rows.ts';

function bySymbol(securities: readonly ListedSecurity[]): Record<string, ListedSecurity> {
  return Object.fromEntries(securities.map((security) => [security.symbol, security]));
}

describe('mergeListings', () => {
  it('takes the exchanges’ row whole and the SEC’s number, in any order', () => {
    const listings = [
      ...parseSecTickers(SEC_TEXT, 'sec').securities,
      ...parseNasdaqTrader(NASDAQ_TEXT, 'nasdaq').securities,
      ...parseNasdaqTrader(OTHER_TEXT, 'other').securities,
    ];
    const merged = mergeListings(listings);
    expect(mergeListings(listings.toReversed())).toEqual(merged);
    expect(merged.map(({ symbol }) => symbol)).toEqual([
      'AAPL',
      'ABR.PRA',
      'BRK.B',
      'CBOE',
      'IBKR',
      'IMO',
      'NAN',
      'PMVC',
      'QQQ',
      'RTNTF',
      'SPY',
      'USB.PRA',
    ]);
    const { AAPL, IBKR, RTNTF } = bySymbol(merged);
    expect(AAPL).toMatchObject({ cik: 320193, type: 'stock', source: 'nasdaqtrader' });
    // The SEC says Nasdaq of it; IEX matches no exchange and must stay so.
    expect(IBKR).toMatchObject({ cik: 1381197, venue: 'IEX', exchange: null });
    expect(RTNTF).toMatchObject({ companyName: 'RIO TINTO LTD', source: 'sec' });
  });
});

describe('readSymbolDirectory', () => {
  const folder = sharedFolder();

  beforeAll(async () => {
    // Names that say nothing: content tells.
    await writeFile(join(folder, 'a.txt'), NASDAQ_TEXT);
    await writeFile(join(folder, 'b.txt'), OTHER_TEXT);
    await writeFile(join(folder, 'c.json'), SEC_TEXT);
    await writeFile(join(folder, 'notes.txt'), 'Symbols of mine\n');
    await writeFile(join(folder, 'empty.txt'), '');
  });

  it('tells the files of a folder apart by content and names the others', async () => {
    const directory = await readSymbolDirectory([folder]);
    expect(directory.securities.length).toBe(12);
    expect(directory.asOfUs).toBe(BigInt(Date.parse('2026-07-01T18:30:00Z')) * 1000n);
    expect(directory.skipped).toEqual([
      { name: join(folder, 'empty.txt'), reason: 'not a directory of symbols' },
      { name: join(folder, 'notes.txt'), reason: 'not a directory of symbols' },
    ]);
    for (const { lines, accepted, testIssues, refused } of directory.files) {
      expect(accepted + testIssues + refused.length).toBe(lines);
    }
  });

  it('is the same from single files in another order', async () => {
    const files = ['c.json', 'b.txt', 'a.txt'].map((name) => join(folder, name));
    const [whole, single] = [await readSymbolDirectory([folder]), await readSymbolDirectory(files)];
    expect(single.id).toBe(whole.id);
    expect(single.securities).toEqual(whole.securities);
  });

  // Both lists of the SEC side by side: the one without exchanges must not hide them.
  it('takes exchanges from the list that has them', async () => {
    const other = freshFolder();
    const plain = { 0: { cik_str: 320193, ticker: 'AAPL', title: 'Apple Inc.' } };
    await writeFile(join(other, 'company_tickers.json'), JSON.stringify(plain));
    const alone = await readSymbolDirectory([other]);
    expect(alone.securities).toMatchObject([{ symbol: 'AAPL', exchange: null, cik: 320193 }]);
    for (const name of ['a.json', 'z.json']) {
      await writeFile(join(other, name), SEC_TEXT);
      const { securities } = await readSymbolDirectory([other]);
      expect(bySymbol(securities).AAPL).toMatchObject({ exchange: 'NASDAQ', cik: 320193 });
    }
  });

  it('lets the newest of several vintages of a file win', async () => {
    const other = freshFolder();
    await copyFile(join(folder, 'a.txt'), join(other, 'z-old.txt'));
    const renamed = NASDAQ_TEXT.replace('Apple Inc.', 'Apple Computer').replace('0701', '0702');
    await writeFile(join(other, 'a-new.txt'), renamed);
    const { securities } = await readSymbolDirectory([other]);
    expect(bySymbol(securities).AAPL.companyName).toBe('Apple Computer');
  });

  it('says when nothing of it is there', async () => {
    await expect(readSymbolDirectory([join(folder, 'none')])).rejects.toThrow(ParameterError);
    await expect(readSymbolDirectory([join(folder, 'notes.txt')])).rejects.toThrow(
      /^path must hold nasdaqlisted.txt, otherlisted.txt, company_tickers_exchange.json, Forms 25 and 15 as EDGAR's text files, or a vendor's list of delisted securities, got "/,
    );
  });
});

describe('fetchSymbolDirectory', () => {
  const bodies: Record<string, string> = {
    '/dynamic/SymDir/nasdaqlisted.txt': NASDAQ_TEXT,
    '/dynamic/SymDir/otherlisted.txt': OTHER_TEXT,
    '/files/company_tickers_exchange.json': SEC_TEXT,
  };
  const DAY = '/Archives/edgar/daily-index/2025/QTR4/form.20251230.idx';
  const index = `Form Type   Company Name   CIK         Date Filed  File Name
----------------------------------------------------------------
25-NSE      An Issuer      1524769     20251230    edgar/data/1524769/0001354457-25-000128.txt
25-NSE      Nasdaq         1354457     20251230    edgar/data/1354457/0001354457-25-000128.txt
4           Another        1           20251230    edgar/data/1/0000000001-25-000001.txt
`;
  bodies[DAY] = index;
  bodies['/Archives/edgar/data/1524769/0001354457-25-000128.txt'] = removalXml({
    title: 'Warrants',
    date: '20251230',
    accession: '0001354457-25-000128',
  });
  bodies['/stable/delisted-companies?page=0&limit=100&apikey=k'] =
    '[{"symbol":"TWTR","exchange":"NYSE","delistedDate":"2022-10-27"}]';
  const agents: (string | undefined)[] = [];
  let server: Server;
  let url: string;
  const root = sharedFolder();

  beforeAll(async () => {
    server = createServer(({ url: path, headers }, response) => {
      agents.push(headers['user-agent']);
      const body = bodies[path ?? ''];
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const contextWith = (nasdaqTrader: string, sec: string, contact?: string) => ({
    nowMs: Date.parse('2026-01-05T12:00:00Z'),
    settings: {
      ...testContext(root, '2026-01-05T12:00:00Z').settings,
      contact,
      vendorUrls: { NASDAQTRADER: nasdaqTrader, SEC: sec },
    },
  });

  it('gives what the files give and says who calls', async () => {
    const directory = await fetchSymbolDirectory({}, contextWith(url, url, 'me@example.com'));
    expect(directory.securities.length).toBe(12);
    expect(directory.files.map(({ origin }) => origin)).toContain(
      `${url}/files/company_tickers_exchange.json`,
    );
    expect(directory.removals).toMatchObject([
      {
        origin: `${url}${DAY}`,
        source: 'sec',
        notices: [{ cik: 1524769, kind: 'warrant' }],
        refused: [],
      },
    ]);
    expect(new Set(agents)).toEqual(new Set(['tapeworks me@example.com']));
  });

  it('asks for lists of delisted securities with a key, and goes on without one that fails', async () => {
    const context = contextWith(url, url, 'me@example.com');
    Object.assign(context.settings.vendorUrls, { FMP: url, MASSIVE: url });
    const vendorKeys = { FMP: 'k', MASSIVE: 'm' };
    const settings = { ...context.settings, vendorKeys };
    const { removals, skipped } = await fetchSymbolDirectory({}, { ...context, settings });
    expect(removals.at(-1)).toMatchObject({ source: 'fmp', notices: [{ ticker: 'TWTR' }] });
    expect(skipped.map(({ name }) => name)).toEqual(['Massive, delisted securities']);
  });

  it('names the address that fails', async () => {
    const failing = fetchSymbolDirectory({}, contextWith(url, `${url}/away`, 'me@example.com'));
    await expect(failing).rejects.toThrow(SourceUnavailableError);
    await expect(failing).rejects.toThrow(
      `the SEC is not available: ${url}/away/files/company_tickers_exchange.json answered with status 404`,
    );
  });

  it('asks for a contact first', async () => {
    await expect(fetchSymbolDirectory({}, contextWith(url, url))).rejects.toThrow(ConfigError);
  });
});

describe.skipIf(!hasRealdata)('the real directories', () => {
  it('give every line, each symbol once', async () => {
    const { files, securities, asOfUs, skipped } = await readSymbolDirectory([
      realdata('reference/nasdaqtrader'),
      realdata('sec/company_tickers_exchange.json'),
    ]);
    expect(skipped).toEqual([]);
    expect(asOfUs).toBe(BigInt(Date.parse('2019-10-02T16:10:00Z')) * 1000n);
    const counts = files.map(({ origin, lines, accepted, testIssues, refused }) => [
      origin.slice(origin.lastIndexOf('/') + 1),
      lines,
      accepted,
      testIssues,
      refused.length,
    ]);
    expect(counts.sort()).toEqual([
      ['company_tickers_exchange.json', 10_171, 10_171, 0, 0],
      ['nasdaqlisted.txt', 3484, 3475, 9, 0],
      ['otherlisted.txt', 5387, 5362, 25, 0],
    ]);
    expect(securities.length).toBe(14_752);
    const { AAPL, SPY, IBKR, META } = bySymbol(securities);
    expect(AAPL).toEqual({
      symbol: 'AAPL',
      companyName: 'Apple Inc.',
      exchange: 'NASDAQ',
      venue: 'Nasdaq',
      type: 'stock',
      cik: 320193,
      source: 'nasdaqtrader',
    });
    expect(SPY).toMatchObject({ venue: 'NYSE Arca', exchange: 'AMEX', type: 'etf', cik: 884394 });
    expect(IBKR).toMatchObject({ venue: 'IEX', exchange: null });
    expect(META).toMatchObject({ companyName: 'Meta Platforms, Inc.', source: 'sec', type: null });
  });

  it('hold kinds and venues in known numbers', async () => {
    const { securities } = await readSymbolDirectory([realdata('reference/nasdaqtrader')]);
    const countBy = (key: 'type' | 'venue' | 'exchange') =>
      Object.fromEntries(
        [...Map.groupBy(securities, (security) => security[key])].map(([value, group]) => [
          value,
          group.length,
        ]),
      );
    expect(countBy('venue')).toEqual({
      Nasdaq: 3475,
      NYSE: 3117,
      'NYSE Arca': 1614,
      'Cboe BZX': 327,
      'NYSE American': 303,
      IEX: 1,
    });
    expect(countBy('exchange')).toEqual({ NASDAQ: 3475, NYSE: 3117, AMEX: 1917, null: 328 });
    expect(countBy('type')).toEqual({
      stock: 5257,
      adr: 260,
      etf: 2167,
      preferred: 571,
      warrant: 177,
      note: 153,
      etn: 135,
      unit: 96,
      right: 21,
    });
  });
});
