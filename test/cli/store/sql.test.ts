/** `sql` over the store, and over what the API serves. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../../api/support/test-server.ts';
import { execPython } from '../../support/python-package.ts';
import { duckdbPython } from '../../support/tools.ts';
import { putSandbox } from '../support/full-sandbox.ts';
import { useCliFolder } from '../support/run-cli.ts';

const folder = useCliFolder();

let api: TestServer;

beforeAll(async () => {
  await putSandbox(folder);
  api = await folder.serve();
});

const query = (text: string) => folder.json('sql', text, '--mode', 'sandbox');

async function response(path: string) {
  const { status, json } = await api.get(`/v1/svc/${path}`);
  expect(status).toBe(200);
  return json as { data: Record<string, unknown>[]; total: number };
}

it('never prints a control character of a text, as a table or as JSON', async () => {
  const text = "SELECT 'a' || chr(27) || '[2J' || chr(155) || chr(8238) || chr(13) || 'b' AS name";
  const args = ['sql', text, '--mode', 'sandbox'];
  const table = await folder.run(...args);
  const json = await folder.run(...args, '--json');
  for (const { stdout } of [table, json]) {
    expect(stdout).toContain('a\\u001b[2J\\u009b\\u202e');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
  }
  expect(JSON.parse(json.stdout)).toEqual([{ name: 'a\u001b[2J\u009b\u202e\rb' }]);
  const wrong = await folder.run(
    'sql',
    `SELECT ${String.fromCharCode(0x9b)}x`,
    '--mode',
    'sandbox',
  );
  expect(wrong.stderr).not.toContain('\u009b');
});

describe('tables of what the API serves', () => {
  it('has the quotes', async () => {
    const rows = await query(
      'SELECT symbol, price, change, change_pct, market_cap FROM quotes ORDER BY symbol LIMIT 30',
    );
    const symbols = rows.map(({ symbol }: { symbol: string }) => symbol).join();
    const { data } = await response(`quotes/batch?symbols=${symbols}`);
    expect(rows).toEqual(
      data.map(({ symbol, price, change, changePct, marketCap }) => {
        return { symbol, price, change, change_pct: changePct, market_cap: marketCap };
      }),
    );
  });

  it('has the rows of the screener, all of them', async () => {
    const [{ count }] = await query('SELECT count(*)::INT AS count FROM Screener');
    const { data, total } = await response('screener?sort=volume&limit=200');
    expect(count).toBe(total);
    const rows = await query(
      'SELECT symbol, company_name, pe_ratio, rsi14, sector FROM screener ' +
        'ORDER BY volume DESC, symbol LIMIT 200',
    );
    expect(rows).toEqual(
      data.map(({ symbol, companyName, peRatio, rsi14, sector }) => {
        return { symbol, company_name: companyName, pe_ratio: peRatio, rsi14, sector };
      }),
    );
  });

  it('has the newest indicators of each symbol', async () => {
    const rows = await query(
      'SELECT symbol, date, rsi, macd_signal FROM latest_indicators ORDER BY symbol LIMIT 3',
    );
    for (const { symbol, date, rsi, macd_signal } of rows) {
      const path = `technical/${symbol}?indicators=rsi,macd&limit=1`;
      const { candles, indicators } = (await response(path)) as never as {
        candles: { timestamp: string }[];
        indicators: Record<string, Record<string, number>[]>;
      };
      expect(candles[0].timestamp.slice(0, 10)).toBe(date);
      expect(rsi).toBe(indicators.rsi[0].value);
      expect(macd_signal).toBe(indicators.macd[0].signal);
    }
    expect(rows.length).toBe(3);
  });

  it('joins them with one another and with stored bars', async () => {
    const [{ count, other }] = await query(
      'SELECT count(*)::INT AS count, (SELECT count(*)::INT FROM quotes) AS other FROM quotes ' +
        'JOIN latest_indicators USING (symbol) JOIN screener USING (symbol) JOIN candles c ' +
        "ON c.symbol = quotes.symbol AND c.interval = '1d' AND c.ts = date",
    );
    expect(count).toBe(other);
    expect(count).toBeGreaterThan(40);
  });

  it.each([
    ['writes', 'DELETE FROM bars', 'must only read'],
    ['reads a file', "SELECT * FROM read_csv('/etc/passwd')", 'disabled'],
  ])('refuses what %s', async (_what, text, part) => {
    const { code, stderr } = await folder.run('sql', text, '--mode', 'sandbox');
    expect([code, stderr]).toEqual([2, expect.stringContaining(part)]);
  });

  it('needs a publish, which the message says', async () => {
    const { code, stderr } = await folder.run('sql', 'SELECT * FROM quotes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('run a backfill first')]);
  });
});

describe.skipIf(!duckdbPython)('a notebook that holds the store open', () => {
  const notebook = (options: string) => {
    const path = join(folder.dataDir, 'live', 'market.duckdb');
    const program = `
import duckdb
store = duckdb.connect("${path}"${options})
print("open", flush=True)
input()
store.close()
print("closed", flush=True)
input()`;
    const running = execPython(['-c', program]);
    const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
    return { next: async () => (await lines.next()).value, end: () => running.stdin.write('\n') };
  };

  it('lets others read, while a load waits for it and names it', async () => {
    const file = join(folder.dataDir, 'HELD.csv');
    const head = 'Date,Open,High,Low,Close,Volume\n2024-01-02,10,11,9,10,100\n';
    writeFileSync(file, head);
    await folder.json('backfill', 'files', 'candles', file);
    const held = notebook(', read_only=True');
    expect(await held.next()).toBe('open');
    expect(await folder.json('sql', 'SELECT count(*)::INT AS bars FROM candles')).toEqual([
      { bars: 1 },
    ]);
    writeFileSync(file, `${head}2024-01-03,10,11,9,10,100\n`);
    const load = folder.spawn('backfill', 'files', 'candles', file);
    let said = '';
    load.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    const ended = new Promise((resolve) => load.on('exit', resolve));
    await expect.poll(() => said).toMatch(/waiting for a reader \(process \d+\)/);
    held.end();
    expect(await held.next()).toBe('closed');
    expect(await ended).toBe(0);
    expect(await folder.json('sql', 'SELECT count(*)::INT AS bars FROM candles')).toEqual([
      { bars: 2 },
    ]);
  });
});
