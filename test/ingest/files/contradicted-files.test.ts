/** Files that say of themselves what their header alone does not show. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { freshFolder } from '../../support/folders.ts';
import { fetchAll, testContext } from '../support/segment-rows.ts';

async function refusalOf(files: Record<string, string>): Promise<string> {
  const path = freshFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  const context = testContext(freshFolder(), '2026-11-27T12:00:00Z');
  const failure = await fetchAll(fetchFiles({ path }, context)).then(
    () => '',
    (error: Error) => error.message,
  );
  return failure;
}

const bar = '10,11,9,10,100';

it('a stated currency other than the dollar is refused', async () => {
  for (const name of ['curcdd', 'CRNCY', 'isoCurrencyCode']) {
    const texts = `date,open,high,low,close,volume,${name}\n2024-03-12,${bar},CAD\n`;
    expect(await refusalOf({ 'ABC.csv': texts })).toContain(`its column "${name}" says CAD`);
  }
  const text = `date,open,high,low,close,volume,currency\n2024-03-12,${bar},GBp\n`;
  expect(await refusalOf({ 'ABC.csv': text })).toContain(
    'its column "currency" says GBp, and prices are held in US dollars: convert them first',
  );
  for (const price of ['€10', 'C$10', 'GBP 10', '10 €', '10 EUR']) {
    const prices = `date,open,high,low,close,volume\n2024-03-12${`,${price}`.repeat(4)},100\n`;
    expect(await refusalOf({ 'ABC.csv': prices })).toContain(
      `its prices are in another currency, as in "${price}"`,
    );
    expect(await refusalOf({ 'ABC.csv': prices.replaceAll(price, 'USD 10') })).toBe('');
  }
  // A company may report in another currency than that of its price.
  const both = 'date,open,high,low,close,volume,financialCurrency,currency\n2024-03-12';
  expect(await refusalOf({ 'ABC.csv': `${both},${bar},TWD,USD\n` })).toBe('');
  expect(await refusalOf({ 'ABC.csv': `${both},${bar},USD,TWD\n` })).toContain(
    '"currency" says TWD',
  );
});

it.each([
  ['date,open_cents,high_cents,low_cents,close_cents,volume', 'its column "open_cents" is not in'],
  ['date,Open (pence),High (pence),Low (pence),Close (pence),volume', '"Open (pence)" is not in'],
  ['date,openCents,highCents,lowCents,closeCents,volume', 'its column "openCents" is not in US'],
  ['date,adj_open,adj_high,adj_low,adj_close,volume', 'its prices are adjusted ("adj_open")'],
  ['date,open_adj,high_adj,low_adj,close_adj,volume', 'its prices are adjusted ("open_adj")'],
  ['date,bid_open,bid_high,bid_low,bid_close,volume', 'it has bids and asks and no prices of'],
  ['date,open ask,high ask,low ask,close ask,volume', 'it has bids and asks and no prices of'],
])('bars of %s are refused by what they are', async (header, reason) => {
  expect(await refusalOf({ 'ABC.csv': `${header}\n2024-03-12,${bar}\n` })).toContain(reason);
});

// A name of 240 minutes was that of a bar a day.
it('bars of the minutes in the name of a file are refused', async () => {
  const text = `time,open,high,low,close,Volume\n2024-03-12,${bar}\n2024-03-13,${bar}\n`;
  expect(await refusalOf({ 'NASDAQ_ABC, 240.csv': text })).toContain('it holds bars of 240m');
});

// The last row of each day counted: the volume after hours, or the asks.
it.each([
  ['session', 'regular', 'pre', 'post'],
  ['side', 'BID', 'ASK'],
  ['exchange', 'NYSE', 'ARCA'],
  ['feed', 'sip', 'iex'],
  ['Type', 'BID', 'ASK'],
])('rows of a day by %s are refused', async (name, ...parts) => {
  const rows = ['2024-03-12', '2024-03-13', '2024-03-14'].flatMap((date) =>
    parts.map((part) => `${date},${part},${bar}\n`),
  );
  const text = `date,${name},open,high,low,close,volume\n${rows.join('')}`;
  const told = `its column "${name}" parts the rows of each bar (${parts.join(', ')})`;
  expect(await refusalOf({ 'ABC.csv': text })).toContain(told);
  const first = rows.filter((row) => row.includes(parts[0])).join('');
  expect(await refusalOf({ 'ABC.csv': text.replace(rows.join(''), first) })).toBe('');
});

it('all bids and then all asks are refused, too', async () => {
  const rows = ['BID', 'ASK'].flatMap((side) =>
    Array.from({ length: 31 }, (_, i) => `2024-03-${i + 1},${side},${bar}\n`),
  );
  const text = `date,kind,open,high,low,close,volume\n${rows.join('')}`;
  expect(await refusalOf({ 'ABC.csv': text })).toContain('parts the rows of each bar (BID, ASK)');
});

// Days up to the 12th were read as months, and the other rows were refused.
it.each([
  [
    'of which some fit one order of day and month alone, and some the other',
    (i: number, [year, month, day]: string[]) =>
      `${i < 32 ? `${month}/${day}` : `${day}/${month}`}/${year}`,
    'are written in two orders',
  ],
  [
    'with the day before the month, and the year before both',
    (_: number, [year, month, day]: string[]) => `${year}-${day}-${month}`,
    'have the day before the month',
  ],
  [
    'with the day before the month, in eight digits',
    (_: number, [year, month, day]: string[]) => `${year}${day}${month}`,
    'have the day before the month',
  ],
])('dates %s are refused', async (_, dateOf, reason) => {
  const days = Array.from({ length: 60 }, (_, i) => new Date(Date.UTC(2024, 0, 2 + i)))
    .filter((date) => date.getUTCDay() % 6 !== 0)
    .map((date) => date.toISOString().slice(0, 10).split('-'));
  const rows = days.map((parts, i) => `${dateOf(i, parts)},${bar}\n`);
  const path = freshFolder();
  writeFileSync(join(path, 'ABC.csv'), `date,open,high,low,close,volume\n${rows.join('')}`);
  const context = testContext(freshFolder(), '2026-11-27T12:00:00Z');
  const [{ rows: kept, segment }] = await fetchAll(fetchFiles({ path }, context));
  const told = expect.stringContaining(reason);
  expect([kept.length, segment.skipped[0]?.reason]).toEqual([0, told]);
});

const OF_OTHERS = [
  ['Open Interest', '1,204'],
  ['oi', '35'],
  ['Previous Day Open Interest', '1204.0'],
  ['Settle', '10.25'],
  ['Expiry', '28-Mar-2024'],
  ['contract_month', '202406'],
  ['strike', '150'],
  ['secType', 'FUT'],
  ['Asset Class', 'Index'],
];

const withColumns = (names: readonly string[], cell: string) =>
  `date,open,high,low,close,volume,${names.join()}\n2024-03-12,${bar}${`,"${cell}"`.repeat(names.length)}\n`;

it.each(OF_OTHERS)('bars with a column %s of %s are no shares', async (name, value) => {
  const refusal = await refusalOf({ 'ABC.csv': withColumns([name], value) });
  expect(refusal).toContain(`its column "${name}" says`);
});

it.each(['', '0', '-', 'STK'])('bars with such columns of "%s" are shares', async (cell) => {
  const names = OF_OTHERS.map(([name]) => name);
  expect(await refusalOf({ 'ABC.csv': withColumns(names, cell) })).toBe('');
});

it('prices in steps of a future refuse its root as a name, unless --symbol says so', async () => {
  const rows = (tick: number) =>
    Array.from({ length: 25 }, (_, i) => {
      const day = new Date(Date.UTC(2024, 2, 4 + i + 2 * Math.floor(i / 5))).toISOString();
      const [open, high, low, close] = [0, 3, -4, 1].map((step) => 5100 + (step + i) * tick);
      return `${day.slice(0, 10)},${[open, high, low, close].join()},1000`;
    });
  const table = (tick: number) => `date,open,high,low,close,volume\n${rows(tick).join('\n')}\n`;
  expect(await refusalOf({ 'ES.csv': table(0.25) })).toContain(
    'its prices are all multiples of 0.25, as those of the future ES',
  );
  expect(await refusalOf({ 'ES.csv': table(0.01) })).toBe('');
  expect(await refusalOf({ 'ABC.csv': table(0.25) })).toBe('');
});

it.each(['cents', 'GBp', 'pence'])(
  'prices in %s by a column of units are refused',
  async (unit) => {
    const text = `date,open,high,low,close,volume,price_unit\n2024-03-12,${bar},${unit}\n`;
    expect(await refusalOf({ 'ABC.csv': text })).toContain(`its column "price_unit" says ${unit}`);
  },
);

it('names of contracts that begin like a ticker are refused', async () => {
  const text = `date,open,high,low,close,volume\n2024-03-12,${bar}\n`;
  for (const name of ['ESZ24', 'ES 12-24', 'ES.c.0', 'ES1!']) {
    expect(await refusalOf({ [`${name}.csv`]: text }), name).toContain('no candles');
  }
});

it('dates that a spreadsheet has written in two orders are refused', async () => {
  const dates = ['10/02', '10/03', '10/04', '10/05', '10/06', '10/09', '10/10', '10/11', '10/12'];
  const late = ['13/10', '16/10', '17/10', '18/10', '19/10', '20/10', '23/10', '24/10', '25/10'];
  const next = ['11/01', '11/02', '11/03', '11/06', '11/07', '11/08', '11/09', '11/10', '13/11'];
  const lines = [...dates, ...late, ...next].map((date) => `${date}/2023,${bar}`);
  expect(
    await refusalOf({ 'ABC.csv': `date,open,high,low,close,volume\n${lines.join('\n')}\n` }),
  ).toContain('its days before and after the 12th are written in two orders');
});

it('weekly bars of two rows are refused where a column says so', async () => {
  const text = `date,open,high,low,close,volume,resolution\n2024-03-11,${bar},1W\n2024-03-18,${bar},1W\n`;
  expect(await refusalOf({ 'ABC.csv': text })).toContain(
    'it holds weekly bars (its column "resolution" says 1W)',
  );
});

it('files of one name in the folders of several tickers are refused', async () => {
  const text = `date,open,high,low,close,volume\n2024-03-11,${bar}\n`;
  const other = text.replace('10,11', '10.5,11');
  expect(await refusalOf({ 'KQRT/JAN.csv': text, 'WXYZ/JAN.csv': other })).toContain(
    'its name and its folder may both name the symbol',
  );
});

it('two securities on different days are told apart by a column of codes', async () => {
  const row = (day: number, code: string, price: number) =>
    `2024-03-${day},${code},${price},${price + 1},${price - 1},${price},100`;
  const lines = [
    row(12, 'KQRT', 50),
    row(13, 'KQRT', 50),
    row(14, 'WXYZ', 300),
    row(15, 'WXYZ', 300),
  ];
  const path = join(freshFolder(), 'KQRT.csv');
  writeFileSync(path, `date,company_code,open,high,low,close,volume\n${lines.join('\n')}\n`);
  const context = testContext(freshFolder(), '2026-11-27T12:00:00Z');
  const [{ rows }] = await fetchAll(fetchFiles({ path }, context));
  expect(rows.map(({ symbol, close }) => `${symbol} ${close}`)).toEqual([
    'KQRT 50',
    'KQRT 50',
    'WXYZ 300',
    'WXYZ 300',
  ]);
});
