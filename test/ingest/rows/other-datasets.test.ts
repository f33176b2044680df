/** A file of one dataset that is loaded as another one names its own. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { datasets } from '../../../src/base/datasets/datasets.ts';
import { candleColumnsFromHeader } from '../../../src/ingest/files/columns.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { actionSpelling } from '../../../src/ingest/rows/action-spelling.ts';
import { fetchDatasetFiles } from '../../../src/ingest/rows/files.ts';
import { LOADABLE_DATASETS, templateText } from '../../../src/ingest/rows/template.ts';
import { datasetRows, fieldsOfRows } from '../../../src/ingest/rows/text-rows.ts';
import { eachTest } from '../support/each-test.ts';

const at = eachTest();

/** Splits and dividends as tools write them; a template has them by type. */
const ACTIONS = [
  'Date,Dividends,Stock Splits\n2024-01-02,0.2,0\n',
  'Date,Dividend\n2024-01-02,0.2\n',
  'ticker,execution_date,split_from,split_to\nAAPL,2024-01-02,1,4\n',
  'ticker,ex_dividend_date,cash_amount\nAAPL,2024-01-02,0.25\n',
];

const FILES = [
  ...LOADABLE_DATASETS.map((dataset) => ({ dataset, text: templateText(dataset) })),
  ...ACTIONS.map((text) => ({ dataset: 'corporate-actions', text })),
];

/** Reads the columns alone: whole loads of all pairs take a minute. */
async function reasonOf(asked: string, name: string, text: string): Promise<string> {
  const form = name.endsWith('.csv') ? 'csv' : 'jsonl';
  if (asked === 'candles') {
    const names = form === 'csv' ? text.split('\n')[0].split(',') : Object.keys(firstOf(text));
    const found = candleColumnsFromHeader(names);
    return 'reason' in found ? found.reason : 'read';
  }
  await at.write({ [name]: text });
  const dataset = datasets.find((one) => one.name === asked)!;
  const path = join(at.folder, name);
  const fields = () => fieldsOfRows(dataset, path, form, NO_STORE);
  const spelling =
    asked === 'corporate-actions' ? await actionSpelling(fields, {}, 'a.csv') : undefined;
  try {
    for await (const row of datasetRows(dataset, path, form, NO_STORE, () => {}, spelling)) {
      return 'reason' in row ? row.reason : 'read';
    }
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing';
}

const NO_STORE = { connect: () => Promise.reject(new Error('no store is needed')) };

const firstOf = (lines: string) => JSON.parse(lines.split('\n')[0]);

function jsonLines(text: string): string {
  const [header, ...lines] = text.trimEnd().split('\n');
  const names = header.split(',');
  const row = (line: string) =>
    Object.fromEntries(line.split(',').map((value, i) => [names[i], value]));
  return lines.map((line) => `${JSON.stringify(row(line))}\n`).join('');
}

// A balance sheet that was loaded as a statement had no figures, and was served so.
describe.each(LOADABLE_DATASETS.filter((name) => name !== 'symbols'))(
  'files of others as %s',
  (asked) => {
    const others = FILES.filter(({ dataset }) => dataset !== asked);
    it.each(others)('of $dataset: $text', async ({ dataset, text }) => {
      const advice = `load it with backfill files ${dataset}`;
      expect(await reasonOf(asked, 'AAPL.csv', text)).toContain(advice);
      expect(await reasonOf(asked, 'AAPL.jsonl', jsonLines(text))).toContain(advice);
    });
  },
);

describe('a response of an API', () => {
  const SPLITS =
    '{"results":[{"execution_date":"2020-08-31","id":"E1","split_from":1,"split_to":4,' +
    '"ticker":"AAPL"}],"status":"OK","request_id":"a"}';
  const NEWS =
    '{"status":"OK","results":[{"title":"A","source":"B","url":"https://a.example/1",' +
    '"publishedAt":"2026-01-02T10:00:00Z","insights":[{"ticker":"AAPL"}]}]}';

  it('gives the splits below its keys', async () => {
    await at.write({ 'splits.json': SPLITS });
    const options = { dataset: 'corporate-actions', path: join(at.folder, 'splits.json') };
    const [segment] = await Array.fromAsync(fetchFiles(options, at.context));
    expect(segment.actions).toMatchObject([
      { symbol: 'AAPL', splits: [{ numerator: 4, denominator: 1 }] },
    ]);
  });

  it.each([
    // FMP, and Twelve Data with what the response is about in `meta`.
    '{"symbol":"AAPL","historical":[{"date":"2020-08-31","numerator":4,"denominator":1}]}',
    '{"meta":{"symbol":"AAPL"},"splits":[{"date":"2020-08-31","description":"4-for-1 split","ratio":0.25,"from_factor":4,"to_factor":1}]}',
    // Alpaca has lists by kind.
    '{"corporate_actions":{"forward_splits":[{"symbol":"AAPL","new_rate":4,"old_rate":1,"ex_date":"2020-08-31"}],"name_changes":[{"old_symbol":"A","new_symbol":"B"}]}}',
    // Tiingo has factors from and to next to their ratio.
    '{"data":[{"ticker":"AAPL","exDate":"2020-08-31T00:00:00.000Z","splitFrom":1,"splitTo":4,"splitFactor":4}]}',
  ])('gives the splits of a symbol that it names: %s', async (text) => {
    await at.write({ 'splits.json': text });
    const options = { dataset: 'corporate-actions', path: join(at.folder, 'splits.json') };
    const [{ actions }] = await Array.fromAsync(fetchFiles(options, at.context));
    expect(actions).toMatchObject([{ symbol: 'AAPL', splits: [{ numerator: 4, denominator: 1 }] }]);
  });

  // EODHD divides `value` by later splits.
  it('gives dividends as they were declared', async () => {
    await at.write({
      'dividends.json': '[{"date":"2020-08-07","value":0.205,"unadjustedValue":0.82}]',
    });
    const options = {
      dataset: 'corporate-actions',
      path: join(at.folder, 'dividends.json'),
      symbol: 'AAPL',
    };
    const [{ actions }] = await Array.fromAsync(fetchFiles(options, at.context));
    expect(actions).toMatchObject([{ symbol: 'AAPL', dividends: [{ amount: 0.82 }] }]);
  });

  it('gives rows of any dataset, whose own lists stay', async () => {
    await at.write({ 'news.json': NEWS });
    const options = { dataset: 'news', path: join(at.folder, 'news.json') };
    const [{ accepted }] = await Array.fromAsync(fetchDatasetFiles(options, at.context));
    expect(accepted).toBe(1);
  });

  it('of splits that is loaded as candles names its dataset', async () => {
    await at.write({ 'AAPL.json': SPLITS });
    const bars = fetchFiles({ path: join(at.folder, 'AAPL.json') }, at.context);
    await expect(Array.fromAsync(bars)).rejects.toThrow(
      'no bars are found below its keys "results", "status", "request_id"; its columns are those of corporate-actions',
    );
  });
});

it('a file with columns of two datasets is what was asked for', async () => {
  const text =
    'symbol,date,period,filedAt,revenue,netIncome,eps,totalAssets\n' +
    'AAPL,2024-12-31,annual,2025-02-01T00:00:00Z,1,2,3,4\n';
  expect(await reasonOf('balance-sheet', 'a.csv', text)).toBe('read');
  expect(await reasonOf('statements', 'a.csv', text)).toBe('read');
});
