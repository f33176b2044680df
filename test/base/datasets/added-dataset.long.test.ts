/** The promise that a dataset of figures is one table and one row: a copy of the program gets one. */

import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STORE_VERSION } from '../../../src/store/duckdb/connection/migrations.ts';
import { type CliFolder, createCliFolder } from '../../cli/support/run-cli.ts';
import { lineOfSql, linesOfFiles, missingLines } from '../../ingest/rows/dataset-docs.ts';
import { sharedFolder } from '../../support/folders.ts';
import { parquetRows } from '../../support/parquet-rows.ts';
import type { ParsedJson } from '../../support/parsed-json.ts';
import { python } from '../../support/tools.ts';

const TABLE = `
import { figure } from './columns.ts';
import type { Dataset } from './dataset.ts';
import { filing, period, REPORT } from './report.ts';

export const spending = {
  ...REPORT,
  name: 'spending',
  title: 'Spending of companies',
  table: 'spending',
  since: ${STORE_VERSION + 1},
  path: 'fundamentals/$/spending',
  statement: { noun: 'spending statement', title: 'Spending' },
  columns: [
    ...period,
    figure('wages', 'Wages', 'paid to employees', ['30', '8'], { isDrawn: true }),
    figure('rent', 'Rent', 'paid for buildings', ['20', '5'], { isDrawn: true }),
    figure('totalSpending', 'Total spending', 'all of it', ['50', '13'], { isTotal: true }),
    ...filing,
  ],
} as const satisfies Dataset;
`;

const FIGURE = `
    {
      ...figure('research', 'Research', 'spent on research', ['34550000000', '10887000000']),
      since: ${STORE_VERSION + 1},
    },
`;

/** Rows of a field of screens, each with its file and the row before which it stands. */
const FIELD = [
  [
    'src/base/fields.ts',
    '  price_to_sales:',
    "  sales_to_assets: number('fraction', 'Revenue over total assets.'),\n",
  ],
  [
    'src/screens/run/figure-fields.ts',
    '  price_to_sales:',
    "  sales_to_assets: ratio(dollars('revenue'), dollars('totalAssets')),\n",
  ],
] as const;

const CSV = `symbol,date,period,filedAt,wages,rent,totalSpending,currency,form
AAPL,2024-12-31,annual,2025-02-01T22:00:00Z,30,20,50,USD,10-K
AAPL,2025-03-31,quarterly,2025-05-01T22:00:00Z,8,,13,USD,10-Q
`;

const INCOME = `symbol,date,period,filedAt,revenue
AAPL,2023-12-31,annual,2024-02-01T22:00:00Z,90
`;

const RESEARCH = `symbol,date,period,filedAt,revenue,research
AAPL,2024-12-31,annual,2025-02-01T22:00:00Z,100,7
`;

const ASSETS = `symbol,date,period,filedAt,totalAssets
AAPL,2024-12-31,annual,2025-02-01T22:00:00Z,400
`;

const BAR = `symbol,date,open,high,low,close,volume
AAPL,2025-03-03,10,12,9,11,1000
`;

const YEAR = { date: '2024-12-31', period: 'annual', wages: 30, rent: 20, totalSpending: 50 };

/** Fields that every statement has over HTTP, behind its figures. */
const FILING = {
  filedAt: '2025-02-01T22:00:00.000Z',
  fiscalYear: null,
  currency: 'USD',
  form: '10-K',
};

const home = sharedFolder();
const root = join(home, 'program');
let folder: CliFolder;
let address: string;
let headers: { 'X-API-Key': string };

/** Puts text before a text that a module of the copy has. */
function insert(path: string, before: string, text: string): void {
  const declared = readFileSync(join(root, path), 'utf8');
  expect(declared).toContain(before);
  writeFileSync(join(root, path), declared.replace(before, `${text}${before}`));
}

function addDataset(): void {
  expect(TABLE.trim().split('\n')).toHaveLength(20);
  expect(FIGURE.trim().split('\n')).toHaveLength(4);
  for (const name of ['src', 'jobs', 'bin', 'package.json', 'clients', 'docs', '.ci']) {
    cpSync(name, join(root, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'src/base/datasets/spending.ts'), TABLE);
  const list = join(root, 'src/base/datasets/datasets.ts');
  const text = readFileSync(list, 'utf8');
  const edited = text
    .replace(
      "from './market.ts';",
      "from './market.ts';\nimport { spending } from './spending.ts';",
    )
    .replace('  balanceSheet,\n', '  balanceSheet,\n  spending,\n');
  expect(edited.length - text.length).toBe(54);
  writeFileSync(list, edited);
  insert('src/base/datasets/filings.ts', "    optional('netIncomeToCommon'", FIGURE);
  for (const [path, before, row] of FIELD) insert(path, before, row);
  execFileSync(process.execPath, [join(root, '.ci/datasets.ts')]);
}

async function get(path: string, from = `${address}/v1/svc`): Promise<Response> {
  const response = await fetch(`${from}${path}`, { headers });
  expect([path, response.status]).toEqual([path, 200]);
  return response;
}

const jsonOf = async (path: string, from?: string): Promise<ParsedJson> =>
  (await get(path, from)).json() as Promise<ParsedJson>;
const bytesOf = async (path: string) => new Uint8Array(await (await get(path)).arrayBuffer());

beforeAll(async () => {
  addDataset();
  folder = createCliFolder({}, join(root, 'bin/tapeworks.js'));
  const load = async (program: CliFolder, dataset: string, name: string, text: string) => {
    const path = join(home, name);
    writeFileSync(path, text);
    return program.json('backfill', 'files', dataset, path);
  };
  // The program of the repository makes a store without the dataset and the figure.
  const older = createCliFolder({ TAPEWORKS_DATA_DIR: folder.dataDir });
  await load(older, 'statements', 'income.csv', INCOME);
  await older.remove();
  await load(folder, 'statements', 'research.csv', RESEARCH);
  await load(folder, 'balance-sheet', 'assets.csv', ASSETS);
  await load(folder, 'candles', 'bar.csv', BAR);
  const report = await load(folder, 'spending', 'spending.csv', CSV);
  expect(report).toMatchObject({ accepted: 2, rejected: 0, rowsChanged: 2 });
  await folder.json('files');
  ({ headers } = await folder.key('live'));
  const { document } = await folder.start('serve');
  ({ address } = document);
});
afterAll(() => folder?.remove());

describe('a table and a row', () => {
  it('give a template that loads, a table in SQL, and the next step of a report', async () => {
    const { text } = await folder.json('template', 'spending');
    expect(text.split('\n')[0]).toContain('fiscalQuarter,wages,rent,totalSpending,currency');
    const rows = await folder.json('sql', 'SELECT wages, rent FROM spending ORDER BY date');
    expect(rows).toEqual([
      { wages: 30, rent: 20 },
      { wages: 8, rent: null },
    ]);
    const other = join(home, 'other.csv');
    writeFileSync(other, text.replaceAll('AAPL', 'MSFT'));
    const { stdout } = await folder.run('backfill', 'files', 'spending', other);
    expect(stdout).toContain("/v1/svc/fundamentals/MSFT/spending'");
  });

  it('are read over HTTP as JSON, CSV, Arrow and Parquet', async () => {
    const path = '/fundamentals/AAPL/spending';
    expect(await jsonOf(path)).toEqual({ data: [{ ...YEAR, ...FILING }] });
    const quarters = await get(`${path}?period=quarterly&format=csv`);
    expect(await quarters.text()).toBe(
      'date,period,wages,rent,totalSpending,filedAt,fiscalYear,currency,form\r\n' +
        '2025-03-31,quarterly,8,,13,2025-05-01T22:00:00.000Z,,USD,10-Q\r\n',
    );
    const arrow = tableFromIPC(await bytesOf(`${path}?format=arrow`));
    expect(arrow.toArray().map((row) => row.totalSpending)).toEqual([50]);
    const parquet = await parquetRows(await bytesOf(`${path}?format=parquet`));
    expect(parquet).toMatchObject([{ period: 'annual', wages: 30 }]);
    expect(await jsonOf(`${path}?period=ttm`)).toEqual({
      data: [{ ...YEAR, ...FILING, period: 'ttm' }],
    });
    const symbol = await jsonOf('/symbols/AAPL');
    expect(symbol.datasets).toEqual(['statements', 'balance-sheet', 'spending']);
  });

  it('stand in the API description, with the event about new rows', async () => {
    const text = await (await get('/v1/openapi.json', address)).text();
    const { paths, components } = JSON.parse(text);
    expect(paths['/svc/fundamentals/{symbol}/spending'].get).toMatchObject({
      operationId: 'listSpendingStatements',
      summary: 'List spending statements',
    });
    expect(Object.keys(components.schemas.SpendingStatement.properties)).toEqual(Object.keys(YEAR));
    expect(text).toContain('"const":"spending"');
  });

  it('are a Parquet file, a view for agents and a table of their tool', async () => {
    const { data } = await jsonOf('/files');
    const file = data.find(({ dataset }: { dataset: string }) => dataset === 'spending');
    const bytes = new Uint8Array(await (await fetch(file.url)).arrayBuffer());
    const periods = (await parquetRows(bytes)).map(({ period }) => period);
    expect(periods.sort()).toEqual(['annual', 'quarterly', 'ttm']);
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit }),
    );
    const call = async (name: string, values: Record<string, unknown>) => {
      const { structuredContent } = await client.callTool({ name, arguments: values });
      return (
        structuredContent as { tables: { name: string; columns: string[]; rows: unknown[] }[] }
      ).tables;
    };
    const tables = await call('get_fundamentals', { symbol: 'AAPL' });
    expect(tables.find(({ name }) => name === 'spending_statements')).toMatchObject({
      columns: [
        ...['period_end', 'period', 'wages_usd', 'rent_usd', 'total_spending_usd'],
        ...['filed_at_utc', 'fiscal_year', 'currency', 'form'],
      ],
      rows: [['2024-12-31', 'annual', 30, 20, 50, ...Object.values(FILING)]],
    });
    const sql = "SELECT wages FROM spending WHERE period = 'annual'";
    expect(await call('query_sql', { sql })).toMatchObject([{ rows: [[30]] }]);
    await client.close();
  });

  it('are a widget, lines of the table on the page, and a choice of its form', async () => {
    const widgets = await jsonOf('/widgets.json', address);
    expect(widgets.spending_statements.name).toBe('Spending statements');
    const page = await import(pathToFileURL(join(root, 'src/page/parts/datasets.ts')).href);
    const [last] = page.STATEMENTS.filter(({ noun }: { noun: string }) => noun === 'spending');
    expect(last).toEqual({
      noun: 'spending',
      title: 'Spending',
      lines: [
        { field: 'wages', title: 'Wages' },
        { field: 'rent', title: 'Rent' },
        { field: 'totalSpending', title: 'Total spending', isSum: true },
      ],
      bars: ['wages', 'rent'],
    });
    expect(page.DATASET_TITLES.spending).toBe('Spending of companies');
  });

  it.skipIf(!python)('are read by the Python package, from the server and from files', () => {
    const program = `
import json, sys, tapeworks
address, key, folder = sys.argv[1:]
for market in (tapeworks.connect(address, key), tapeworks.open(folder)):
    table = market.fundamentals("spending", "AAPL", "quarterly").arrow()
    print(json.dumps(table.select(["wages", "rent", "totalSpending"]).to_pylist()))
`;
    const args = [address, headers['X-API-Key'], join(folder.dataDir, 'live')];
    const env = { PATH: process.env.PATH, PYTHONPATH: join(root, 'clients/python') };
    const printed = execFileSync(String(python), ['-c', program, ...args], {
      env: { ...env, PYTHONDONTWRITEBYTECODE: '1' },
      encoding: 'utf8',
    });
    const row = '[{"wages": 8.0, "rent": null, "totalSpending": 13.0}]';
    expect(printed.trim().split('\n')).toEqual([row, row]);
  });

  it('are asked for by the check of the docs', async () => {
    const { spending } = await import(
      pathToFileURL(join(root, 'src/base/datasets/spending.ts')).href
    );
    const pages = ['files.md', 'cli/sql.md'].map((name) => readFileSync(`docs/${name}`, 'utf8'));
    const [files, sql] = pages;
    expect(missingLines(spending, files, sql)).toContain(
      '| `wages` | number | paid to employees |',
    );
    const section = `${files}\n### \`spending\`\n\n${linesOfFiles(spending).join('\n')}`;
    expect(missingLines(spending, section, `${sql}\n${lineOfSql(spending)}`)).toEqual([]);
  });
});

describe('a row', () => {
  it('and its computation give a field, for conditions, columns and the page', async () => {
    const query = 'where=sales_to_assets%20%3E%200.2&columns=sales_to_assets';
    const { data } = await jsonOf(`/screener?${query}`);
    expect(data).toMatchObject([{ symbol: 'AAPL', columns: { sales_to_assets: 0.25 } }]);
    const csv = await (await get(`/screener?${query}&format=csv`)).text();
    expect(csv).toMatch(/,sales_to_assets\r\n.*,0\.25\r\n$/);
    const columns = await import(pathToFileURL(join(root, 'src/page/screener/columns.ts')).href);
    const column = columns.columnOf('sales_to_assets');
    expect([column.title, column.textOf(0.25)]).toEqual(['Sales to assets', '25.00%']);
  });

  it('gives a statement a figure, which stores and segments of before lack', async () => {
    const { data } = await jsonOf('/fundamentals/AAPL/statements');
    const figures = data.map(({ revenue, research }: Record<string, unknown>) => [
      revenue,
      research,
    ]);
    expect(figures).toEqual([
      [100, 7],
      [90, null],
    ]);
    const [header] = (await (await get('/fundamentals/AAPL/statements?format=csv')).text()).split(
      '\r\n',
    );
    expect(header).toMatch(/,epsDiluted,.*research(,|$)/);
  });
});
