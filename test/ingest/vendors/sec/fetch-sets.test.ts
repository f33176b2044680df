/** Sets of financial statements, from files on disk and from a local server. */

import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fetched } from '../../../../src/ingest/contract/fetch-context.ts';
import type { SourceOptions } from '../../../../src/ingest/contract/source-options.ts';
import { fetchSec, planSec, source } from '../../../../src/ingest/vendors/sec/source.ts';
import { long, someOf } from '../../../support/store-runs.ts';
import { eachTest } from '../../support/each-test.ts';
import { inMemory } from '../../support/in-memory.ts';
import {
  type AskedRequest,
  startVendorServer,
  type VendorServer,
} from '../../support/vendor-server.ts';
import { zipOf } from '../../support/zip-file.ts';
import { incomeLines, type SetFilingText, setTables, setZip } from './support/set-text.ts';

const TICKERS = [[1, ['TST']]] as const;

const adshOf = (nth: number) => `0000000001-25-${String(nth).padStart(6, '0')}`;

const YEAR: SetFilingText = {
  adsh: adshOf(1),
  period: '20240930',
  filed: '20241101',
  accepted: '2024-10-31 18:05:00.0',
  fy: 2024,
  instance: 'tst-20240928_htm.xml',
  lines: [
    ...incomeLines('20240930/4', { Revenues: 100, NetIncomeLoss: 10 }),
    { tag: 'Revenues', values: { '20240930/4': 60 }, segments: 'Segments=Phones;' },
    { stmt: 'BS', tag: 'Assets', values: { '20240930': 500 } },
  ],
};

/** Reads the columns of a segment's rows, a line each. */
function rowsOf(segment: Fetched, columns: string): Promise<string[]> {
  if (!('parquetPath' in segment)) throw new Error('a segment of rows has a file');
  const sql = `SELECT concat_ws(' ', ${columns}) AS row FROM read_parquet('${segment.parquetPath}') ORDER BY row`;
  return inMemory(async (connection) => {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjectsJS().map(({ row }) => String(row));
  });
}

const ofDataset = (segments: readonly Fetched[], name: string) =>
  segments.find((segment) => 'dataset' in segment && segment.dataset === name)!;

describe('sets of financial statements', () => {
  const at = eachTest('2026-01-05T12:00:00Z');

  const fetch = (options: SourceOptions) => Array.fromAsync(fetchSec(options, at.context));

  it('are read from a zip and from a folder, with the moment and the true day of each filing', async () => {
    const tables = setTables([YEAR]);
    await at.write({ 'set.zip': setZip([YEAR]) });
    await at.write(
      Object.fromEntries(Object.entries(tables).map(([name, text]) => [`set/${name}`, text])),
    );
    for (const path of ['set.zip', 'set']) {
      const paths = [join(at.folder, path)];
      const segments = await fetch({ paths, tickersByCik: TICKERS });
      expect(
        await rowsOf(
          ofDataset(segments, 'statements'),
          'symbol, date, period, filed_at, read_from, revenue::BIGINT, accession',
        ),
      ).toEqual([`TST 2024-09-28 annual 2024-10-31 22:05:00 face 100 ${adshOf(1)}`]);
      expect(
        await rowsOf(ofDataset(segments, 'balance-sheet'), 'period, total_assets::BIGINT'),
      ).toEqual(['annual 500', 'quarterly 500']);
    }
  });

  it('are named if a table is missing, and other files stay companies’', async () => {
    const { 'pre.txt': _, ...rest } = setTables([YEAR]);
    await at.write(rest);
    await expect(fetch({ paths: [at.folder], tickersByCik: TICKERS })).rejects.toThrow(
      'a set of financial statements needs pre.txt too',
    );
  });

  it('have the semiannual Form 10-S and amendments of reports, and no proxies', async () => {
    const forms = ['10-S', '10-S/A', '10-K/A', 'DEF 14A'];
    const filings = forms.map((form, i) => ({ ...YEAR, adsh: adshOf(10 + i), form }));
    await at.write({ 'set.zip': setZip(filings) });
    const paths = [join(at.folder, 'set.zip')];
    const segments = await fetch({ paths, tickersByCik: TICKERS });
    expect(await rowsOf(ofDataset(segments, 'filings'), 'form')).toEqual([
      '10-K/A',
      '10-S',
      '10-S/A',
    ]);
  });

  it.each(
    someOf(
      [
        ['the same for all classes', { A: 1.5, B: 1.5 }, 'TST 1.5'],
        ['those of the only class that has them', { A: 1.5 }, 'TST 1.5'],
        ['null where classes differ', { A: 9.7, B: 15.6 }, 'TST'],
      ],
      3,
    ),
  )('have earnings per share by class: %s', async (_, byClass, row) => {
    const lines = Object.entries(byClass).map(([name, value]) => ({
      ...{ tag: 'EarningsPerShareBasic', uom: 'USD', segments: `ClassOfStock=CommonClass${name};` },
      values: { '20240930/4': value },
    }));
    const filing = { ...YEAR, lines: [...YEAR.lines, ...lines] };
    await at.write({ 'set.zip': setZip([filing]) });
    const paths = [join(at.folder, 'set.zip')];
    const segments = await fetch({ paths, tickersByCik: TICKERS });
    const statements = ofDataset(segments, 'statements');
    expect(await rowsOf(statements, 'symbol, eps')).toEqual([row]);
    const [evidence] = await rowsOf(statements, 'evidence');
    expect(JSON.parse(evidence).eps).toMatchObject(
      row === 'TST'
        ? { reason: 'given by class of shares, and no source says of which class a ticker is' }
        : { verdict: 'stated' },
    );
  });

  long('have no earnings per share of one class for two tickers', async () => {
    const ofClass = { tag: 'EarningsPerShareBasic', segments: 'ClassOfStock=EquivalentClassA;' };
    const lines = [...YEAR.lines, { ...ofClass, values: { '20240930/4': 37_000 } }];
    await at.write({ 'set.zip': setZip([{ ...YEAR, lines }]) });
    const paths = [join(at.folder, 'set.zip')];
    const segments = await fetch({ paths, tickersByCik: [[1, ['TST.A', 'TST.B']]] });
    const statements = ofDataset(segments, 'statements');
    expect(await rowsOf(statements, 'symbol, eps')).toEqual(['TST.A', 'TST.B']);
  });

  long('have the filer’s own concepts of names that later taxonomies have', async () => {
    const own = { tag: 'EarningsPerShareBasicAndDiluted', taxonomy: 'own' };
    const other = { tag: 'EarningsPerUnitOfMine', taxonomy: 'own' };
    const lineOf = (line: typeof own) => ({ ...line, values: { '20240930/4': -0.25 } });
    for (const [line, eps] of [
      [own, 'TST -0.25 -0.25'],
      [other, 'TST'],
    ] as const) {
      await at.write({ 'set.zip': setZip([{ ...YEAR, lines: [...YEAR.lines, lineOf(line)] }]) });
      const segments = await fetch({
        paths: [join(at.folder, 'set.zip')],
        tickersByCik: TICKERS,
      });
      const statements = ofDataset(segments, 'statements');
      expect(await rowsOf(statements, 'symbol, eps, eps_diluted')).toEqual([eps]);
    }
  });

  it('load nothing without a known ticker', async () => {
    await at.write({ 'set.zip': setZip([YEAR]) });
    await expect(fetch({ paths: [join(at.folder, 'set.zip')] })).rejects.toThrow(
      'has a known ticker',
    );
  });

  it('name a damaged table', async () => {
    const members = Object.entries(setTables([YEAR])).map(([name, content]) => {
      return { name, content, ...(name === 'num.txt' && { declaredCrc: 1 }) };
    });
    await at.write({ 'set.zip': zipOf(members) });
    const paths = [join(at.folder, 'set.zip')];
    await expect(fetch({ paths, tickersByCik: TICKERS })).rejects.toThrow(
      '"num.txt": it is damaged: its checksum does not match',
    );
  });
});

describe('backfill sec --statements', () => {
  const at = eachTest('2025-07-05T12:00:00Z');
  let server: VendorServer;
  let zips: Record<string, Buffer>;

  const SPANS = ['20240331', '20240630', '20240930'];
  const quarter = (nth: number): SetFilingText => ({
    adsh: adshOf(nth),
    form: '10-Q',
    period: SPANS[nth - 1],
    filed: ['20240501', '20240801', '20241101'][nth - 1],
    fy: 2024,
    fp: `Q${nth}`,
    lines: incomeLines(`${SPANS[nth - 1]}/1`, { Revenues: 10 * nth, NetIncomeLoss: nth }),
  });
  const year: SetFilingText = {
    adsh: adshOf(4),
    period: '20241231',
    filed: '20250201',
    fy: 2024,
    lines: incomeLines('20241231/4', { Revenues: 100, NetIncomeLoss: 10 }),
  };

  beforeEach(async () => {
    zips = {
      '2024q2': setZip([quarter(1)]),
      '2024q3': setZip([quarter(2)]),
      '2024q4': setZip([quarter(3)]),
      '2025q1': setZip([year]),
    };
    const answer = ({ url }: AskedRequest, response: ServerResponse) => {
      const name = /financial-statement-data-sets\/(\w+)\.zip$/.exec(url.pathname)?.[1];
      if (name && zips[name]) response.end(zips[name]);
      else if (url.pathname.endsWith('company_tickers_exchange.json')) {
        const data = [[1, 'Test Corp', 'TST', 'NYSE']];
        response.end(JSON.stringify({ fields: ['cik', 'name', 'ticker', 'exchange'], data }));
      } else response.writeHead(404).end();
    };
    server = await startVendorServer(answer);
    at.context.settings = {
      ...at.context.settings,
      contact: 'me@example.com',
      vendorUrls: { SEC: server.url },
      vendorLimits: { SEC: { requests: 1000, windowS: 1 } },
    };
  });
  afterEach(() => server.close());

  const fetch = (options: SourceOptions) => Array.fromAsync(fetchSec(options, at.context));
  const askedZips = () =>
    server.asked.flatMap(({ url }) => /(\w+)\.zip$/.exec(url.pathname)?.[1] ?? []);

  long(
    'downloads a quarter with the four before, which a fourth quarter is worked out from',
    async () => {
      const segments = await fetch({ statements: '2025q1' });
      expect(
        await rowsOf(ofDataset(segments, 'statements'), 'date, period, revenue::BIGINT'),
      ).toEqual(['2024-12-31 annual 100', '2024-12-31 quarterly 40']);
      expect(askedZips()).toEqual(['2024q1', '2024q2', '2024q3', '2024q4', '2025q1']);
      expect(server.asked[0].headers['user-agent']).toBe('tapeworks me@example.com');
    },
  );

  it('downloads each quarter of a range once, and skips those in the ledger', async () => {
    await fetch({ statements: '2024q4' });
    const before = askedZips().length;
    const origin = `${server.url}/files/dera/data/financial-statement-data-sets/2024q4.zip`;
    const storedFilings = { origins: [origin], accessions: [] };
    const segments = await fetch({ statements: '2024q4..2025q1', storedFilings });
    expect(askedZips().slice(before)).toEqual(['2024q1', '2025q1']);
    expect(await rowsOf(ofDataset(segments, 'statements'), 'period')).toEqual([
      'annual',
      'quarterly',
    ]);
  });

  long(
    'fetches two quarters at once one after the other, as both read the same extracts',
    async () => {
      const both = ['2024q4', '2025q1'].map((statements) => fetch({ statements }));
      const loaded = (await Promise.all(both)).map((segments) => ofDataset(segments, 'statements'));
      const periods = await Promise.all(loaded.map((segment) => rowsOf(segment, 'date, period')));
      expect(periods).toEqual([
        ['2024-09-30 quarterly'],
        ['2024-12-31 annual', '2024-12-31 quarterly'],
      ]);
      expect(new Set(askedZips()).size).toBe(6);
    },
  );

  it('names a quarter that the SEC does not have', async () => {
    await expect(fetch({ statements: '2025q2' })).rejects.toThrow(
      '2025q2: the SEC has no set of financial statements of this quarter',
    );
  });

  it('deletes a damaged download', async () => {
    zips['2025q1'] = Buffer.from('PK nothing');
    await expect(fetch({ statements: '2025q1' })).rejects.toThrow('no set of financial statements');
    const path = join(at.context.paths.scratch, 'sec-sets', '2025q1.zip');
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  it('is cut by quarter, up to the last one that is over', () => {
    const nowMs = at.context.nowMs;
    const names = (statements: string) =>
      source.partition!({ statements }, nowMs).map((one) => one.statements);
    expect(names('2024q3..')).toEqual(['2024q3', '2024q4', '2025q1', '2025q2']);
    expect(names('2024q4..2025q1')).toEqual(['2024q4', '2025q1']);
    for (const text of ['2024', '2024q5', '2025q1..2024q1', '2025q3', '..2024q1', '2024q1..x']) {
      expect(() => names(text)).toThrow('--statements must be quarters');
    }
    expect(planSec({ statements: '2024q3..' }, nowMs)).toMatchObject({ requests: 5 });
  });
});
