/** A field is one row of the table: a further row is added, and nothing else. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runChanged } from '../support/changed-program.ts';
import { freshFolder } from '../support/folders.ts';

const TABLE = 'src/base/fields.ts';

const ROW = `  free_float: {
    kind: 'number',
    isNullable: true,
    quote: { description: 'Share of all shares that is traded.' },
    row: { place: 10, description: 'As in a quote.' },
    filter: { place: 8, min: 'Smallest share.', isSortable: true },
  },
} as const satisfies Record<string, Field>;`;

const SCRIPT = `
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { readFileSync } from 'node:fs';
import { quoteSchema } from './src/api/routes/quotes/schema.ts';
import { screenerRowSchema } from './src/api/routes/screener/schema.ts';
import { tableFromQuotes } from './src/api/routes/quotes/route.ts';
import { screenerQuery } from './src/api/routes/screener/query.ts';
import { tableFromScreenerRows } from './src/api/responses/screener-rows.ts';
import { screenRows } from './src/screens/plan/screen-rows.ts';
import { jsonFromQuote } from './src/store/arrow/snapshot/quote.ts';
import { jsonFromScreenerRow, valuesOfTable } from './src/store/arrow/snapshot/screener-table.ts';
import { openPublished } from './src/store/arrow/read/reader.ts';
import { publishBase, quoteOf, universeOf, factsOf } from './test/store/arrow/support/published-fixture.ts';
import { Publication } from './src/store/arrow/write/publication.ts';

const dir = process.argv[1];
await publishBase(dir, universeOf(3, 10));
const publication = new Publication(dir, { indicatorColumns: [] });
const shares = [0.25, null, 0.75];
const manifest = await publication.commit({
  seq: 2,
  storeMark: 'b',
  createdMs: 1,
  replacesLayers: false,
  currentYear: 2025,
  symbols: shares.map((_, i) => factsOf('A' + i)),
  quotes: shares.map((freeFloat, i) => ({ ...quoteOf('A' + i, 10 + i), freeFloat })),
});
const version = openPublished(dir);
const quotes = version.symbols.map((symbol) => version.quote(symbol));
const table = version.screener();
const request = screenerQuery('free_float_min=0.5&sort=free_float', undefined);
const sort = table.columns[request.sort];
const page = screenRows(valuesOfTable(table), { ...request, sort });
const file = tableFromIPC(readFileSync(join(dir, manifest.quotes.name)));
console.log(JSON.stringify({
  file: [...file.getChild('freeFloat')],
  quotes: quotes.map((quote) => JSON.parse(jsonFromQuote(quote)).freeFloat),
  table: tableFromQuotes(quotes).map(({ name }) => name),
  found: [...page.rows].map((row) => JSON.parse(jsonFromScreenerRow(table, row))),
  columns: tableFromScreenerRows(table, page.rows).map(({ name }) => name),
  schemas: [quoteSchema, screenerRowSchema].map(({ shape }) => shape.freeFloat.description),
}));
`;

it('brings a new field to the file, the quote, the screener and the schema', () => {
  const text = readFileSync(new URL(`../../${TABLE}`, import.meta.url), 'utf8');
  const changed = text.replace('} as const satisfies Record<string, Field>;', ROW);
  const { file, quotes, table, found, columns, schemas } = runChanged(
    { [TABLE]: changed },
    SCRIPT,
    [freshFolder()],
  ) as Record<string, unknown[]>;
  expect(file).toEqual([0.25, null, 0.75]);
  expect(quotes).toEqual([0.25, null, 0.75]);
  expect(table.at(-1)).toBe('freeFloat');
  expect(found).toEqual([expect.objectContaining({ symbol: 'A2', freeFloat: 0.75 })]);
  expect(columns.at(-1)).toBe('freeFloat');
  expect(schemas).toEqual(['Share of all shares that is traded.', 'As in a quote.']);
});

it('has the name of a field in at most eight files', () => {
  const files = ['src', 'jobs', 'clients'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(({ name }) => /\.(ts|js|py)$/.test(name) && !name.startsWith('operations.'))
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')),
  );
  const filesWith = (name: RegExp) => files.filter((text) => name.test(text)).length;
  expect(filesWith(/\b(dividendYield|dividend_yield)\b/)).toBeLessThanOrEqual(8);
  expect(filesWith(/\b(priceToBook|price_to_book)\b/)).toBeLessThanOrEqual(8);
});
