/** Rows of one bar that contradict one another, and files that are two securities end to end. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionsBetween } from '../../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { freshFolder } from '../../support/folders.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { inMemory } from '../support/in-memory.ts';
import { fetchAll, testContext } from '../support/segment-rows.ts';

const DAYS = Array.from(
  sessionsBetween(dayFromDate('2024-03-01'), dayFromDate('2024-06-28')),
  dateFromDay,
).slice(0, 60);
const HEADER = 'date,open,high,low,close,volume';

type Bar = [date: string, price: number];
const bars = (days: readonly string[], price: number): Bar[] =>
  days.map((date, at) => [date, price + (at % 7) / 10]);
const lineOf = ([date, price]: Bar) =>
  `${date},${price},${price + 0.5},${price - 0.5},${price + 0.1},100`;
const csv = (rows: readonly Bar[], header = HEADER) =>
  `${header}\n${rows.map((row) => `${lineOf(row)}\n`).join('')}`;
const json = (rows: readonly Bar[]) =>
  JSON.stringify(
    rows.map(([date, price]) => ({
      ...{ date, open: price, high: price + 0.5, low: price - 0.5, close: price + 0.1, volume: 1 },
    })),
  );

async function read(path: string, options = {}) {
  const context = testContext(freshFolder(), '2026-11-27T12:00:00Z');
  const all = await fetchAll(fetchFiles({ path, ...options }, context));
  return {
    closes: new Map(all.flatMap(({ rows }) => rows).map((row) => [row.date, row.close])),
    refusal: all.flatMap(({ segment }) => segment.skipped.map(({ reason }) => reason)).join(),
    reasons: Object.assign({}, ...all.map(({ reasons }) => reasons)) as Record<string, number>,
    notes: all.flatMap(({ segment }) => segment.notes ?? []),
  };
}

function readText(
  text: string,
  { name = 'ABCD.csv', ...options }: { name?: string } & Partial<SourceOptions> = {},
) {
  const path = join(freshFolder(), name);
  writeFileSync(path, text);
  return read(path, options);
}

// Of 300 rows with an adjusted close among traded prices, the 28 that fit by chance were stored.
it('a file in whose rows open or close are mostly outside of high and low is refused as a whole', async () => {
  const rows = (badCount: number) =>
    DAYS.map((date, at) => `${date},37,38,36,${at < badCount ? 35 : 37.5},100\n`).join('');
  const { closes, reasons } = await readText(`${HEADER}\n${rows(40)}`);
  expect(closes.size).toBe(0);
  expect(reasons).toMatchObject({ 'low is above open or close': 40 });
  expect(Object.keys(reasons)[0]).toContain('its prices are not of one kind');
  expect((await readText(`${HEADER}\n${rows(20)}`)).closes.size).toBe(40);
});

// Both days were stored with the other one's bar, without a word.
it('names two rows that stand in the place of each other, and no others', async () => {
  const rows = bars(DAYS, 37);
  const exchanged = (first: number, second: number) =>
    rows.map(
      ([, price], at): Bar => [DAYS[at === first ? second : at === second ? first : at], price],
    );
  const note = (first: number, second: number) =>
    `the rows of ${DAYS[first]} and ${DAYS[second]} stand in each other's place in the file: if their dates are exchanged, correct them and load the file again`;
  for (const [given, notes] of [
    [exchanged(20, 21), [note(21, 20)]],
    [exchanged(20, 35).reverse(), [note(20, 35)]],
    [[...rows.slice(30), ...rows.slice(0, 30)], []],
  ] as const) {
    expect((await readText(csv(given))).notes).toEqual(notes);
  }
});

// The last row of a day won without a word, though it was of another price level.
describe('a row that contradicts another one of its bar', () => {
  const twenty = bars(DAYS.slice(0, 20), 37);
  const odd: Bar = [DAYS[6], 214.45];
  const why = (first: number, second: number) =>
    `its prices contradict another row of the bar, which fits the bars next to it (${DAYS[6]} closes at 37.7 in line ${first} and 214.54999999999998 in line ${second})`;

  it('is refused, wherever it stands', async () => {
    const late = await readText(csv([...twenty, odd]));
    expect([late.closes.size, late.closes.get(DAYS[6]), late.reasons]).toEqual([
      ...[20, 37.7, { [why(8, 22)]: 1 }],
    ]);
    const early = await readText(csv([odd, ...twenty]));
    expect([early.closes.size, early.closes.get(DAYS[6])]).toEqual([20, 37.7]);
  });

  it('is refused in JSON and Parquet', async () => {
    const rows = [...twenty, odd];
    expect((await readText(json(rows), { name: 'ABCD.json' })).closes.get(DAYS[6])).toBe(37.7);
    const path = join(freshFolder(), 'ABCD.parquet');
    await inMemory((connection) =>
      connection.run(`COPY (SELECT d::DATE AS date, p AS open, p + 0.5 AS high, p - 0.5 AS low, p AS close, 1 AS volume
       FROM (VALUES ${rows.map(([date, price]) => `('${date}', ${price})`).join(', ')}) AS t(d, p)) TO '${path}' (FORMAT parquet)`),
    );
    expect((await read(path)).closes.get(DAYS[6])).toBeCloseTo(37.6, 9);
  });

  it('is refused for its symbol, and the others load', async () => {
    const lines = [...twenty.map((row) => `ABCD,${lineOf(row)}`), `ABCD,${lineOf(odd)}`];
    const text = `symbol,${HEADER}\n${[...lines, ...twenty.map((row) => `EFGH,${lineOf(row)}`)].join('\n')}\n`;
    const { closes, reasons } = await readText(text);
    expect([closes.size, closes.get(DAYS[6]), reasons]).toEqual([20, 37.7, { [why(8, 22)]: 1 }]);
  });

  long('is refused among minutes', async () => {
    const minutes = Array.from(
      { length: 60 },
      (_, i) => `2024-03-04 10:${String(i).padStart(2, '0')}:00`,
    );
    const text = csv([...bars(minutes, 37), ['2024-03-04 10:30:00', 214]]);
    const { closes } = await readText(text, { zone: 'America/New_York', stamps: 'start' });
    expect([closes.size, Math.max(...closes.values())]).toEqual([60, 37.7]);
  });

  it('leaves the bar out with the other row, where nothing decides', async () => {
    const { closes, reasons } = await readText(csv([...twenty, [DAYS[6], 39]]));
    expect([closes.size, closes.has(DAYS[6]), reasons]).toEqual([
      ...[19, false],
      {
        [`its bar has other rows with other prices, and nothing decides between them (${DAYS[6]} closes at 37.7 in line 8 and 39.1 in line 22)`]: 2,
      },
    ]);
  });

  // The snapshot of a running day stood below its last bar, and won as the later line.
  it('counts if it is the first of its day, where the newest day is first', async () => {
    const [first, ...others] = twenty.toReversed();
    const snapshot = `${first[0]},37.5,37.6,37.4,37.45,9`;
    const text = `${csv([first])}${snapshot}\n${others.map((row) => `${lineOf(row)}\n`).join('')}`;
    const { closes, reasons } = await readText(text);
    expect([closes.get(first[0]), reasons]).toEqual([
      twenty[19][1] + 0.1,
      { 'a newer line has the same date': 1 },
    ]);
  });

  long('completes the newest bar, but not at another level', async () => {
    const last = DAYS[19];
    expect((await readText(csv([...twenty, [last, 38.9]]))).closes.get(last)).toBe(39);
    const { closes } = await readText(csv([...twenty, [last, 38.9], [last, 214]]));
    expect([closes.size, closes.get(last)]).toEqual([20, 39]);
  });
});

// Two companies in one file were one series, if they had no day in common.
describe('two securities end to end', () => {
  const [first, second] = [bars(DAYS.slice(0, 30), 37), bars(DAYS.slice(30), 214)];
  const [again] = [bars(DAYS.slice(30), 37.2)];
  const PARTS: Record<string, string> = {
    'with the header between them': csv(first) + csv(second),
    'with the header in capitals': csv(first) + csv(second, HEADER.toUpperCase()),
    'in the other order': csv([...second, ...first]),
    'each with its newest row first': csv([...first.toReversed(), ...second.toReversed()]),
    'with a few days in common': csv([...first, ...bars(DAYS.slice(28), 214)]),
    'as rows of one ticker': `symbol,${HEADER}\n${[...second, ...first]
      .map((row) => `ABCD,${lineOf(row)}\n`)
      .join('')}`,
  };
  it.each(someOf(Object.entries(PARTS), 3))('are refused %s', async (_name, text) => {
    expect((await readText(text)).refusal).toContain('it holds several securities (line ');
  });

  long('are refused in JSON', async () => {
    const { refusal } = await readText(json([...second, ...first]), { name: 'ABCD.json' });
    expect(refusal).toContain(
      `it holds several securities (line 31 starts the dates again, and the price goes from 37.2 on ${DAYS[29]} to 214 on ${DAYS[30]}): put each into a file of its own or name them in a column "symbol", or say with --symbol that all rows are of one`,
    );
  });

  const withColumns = (header: string, parts: readonly [Bar[], string][]) =>
    `${HEADER},${header}\n${parts.flatMap(([rows, own]) => rows.map((row) => `${lineOf(row)},${own}\n`)).join('')}`;
  it.each(
    someOf(
      [
        ['name,country', 'Alpha Corp,US', 'Beta AG,DE', '"name" and "country" change there'],
        ['id,sector', '11,Energy', '12,Banks', '"id" and "sector" change there'],
        ['CIK,country', '320193,US', '789019,DE', '"CIK" and "country" change there'],
        // Both classes of Lennar are LEN, with one name and one number of the company.
        ['COMNAM,PERMCO,SHRCLS', 'LENNAR,1,A', 'LENNAR,1,B', '"SHRCLS" changes there'],
      ],
      4,
    ),
  )('are told by %s, at one price level, too', async (header, one, other, fact) => {
    const text = withColumns(header, [
      [first, one],
      [again, other],
    ]);
    expect((await readText(text)).refusal).toContain(`(line 32 is of another one, and ${fact})`);
  });

  // Google became Alphabet: another number of the company, and one share.
  it.each(
    someOf(
      [
        ['cik,name,isin', '1288776,Google Inc,US38259P5089', '1652044,Alphabet Inc,US02079K3059'],
        ['CIK', '320193', '789019'],
        ['figi', 'BBG000B9XRY4', 'BBG000BPH459'],
      ],
      3,
    ),
  )('are one after a reorganisation, which is told: %s', async (header, one, other) => {
    const part = (rows: Bar[], own: string, volume: number) =>
      rows.map((row) => `${lineOf(row).replace(/100$/, String(volume))},GOOGL,${own}\n`).join('');
    const text = (volume: number, from = again) =>
      `${HEADER},symbol,${header}\n${part(first, one, 100)}${part(from, other, volume)}`;
    const kept = await readText(text(150));
    expect([kept.closes.size, kept.notes.join()]).toEqual([
      60,
      expect.stringContaining(`of GOOGL change on ${DAYS[30]}, and prices and volumes go on`),
    ]);
    // Another company trades at another price, in another volume or at another time.
    for (const apart of [
      text(5000),
      text(150, bars(DAYS.slice(30), 57)),
      text(150, again.slice(2)),
    ]) {
      expect((await readText(apart)).refusal).toContain('it holds several securities');
    }
  });

  it('are one company where its name is spelled in another way', async () => {
    const text = withColumns('name,exchange', [
      [first, 'PepsiCo Inc,NYSE'],
      [second, 'PEPSICO,NASDAQ'],
    ]);
    expect((await readText(text)).refusal).toBe('');
  });

  // A column of symbols hid it: both companies have one ticker there, and their own numbers.
  long('are refused alone in a file with a column of symbols', async () => {
    const rows = [
      ...bars(DAYS.slice(0, 30), 37).map((row) => `${lineOf(row)},ABCD,11,US11`),
      ...bars(DAYS.slice(30), 58).map((row) => `${lineOf(row)},ABCD,12,US12`),
      ...bars(DAYS, 50).map((row) => `${lineOf(row)},EFGH,13,US13`),
    ];
    for (const order of [rows, rows.toSorted()]) {
      const { closes, reasons } = await readText(
        `${HEADER},symbol,cik,isin\n${order.join('\n')}\n`,
        { name: 'prices.csv' },
      );
      expect([closes.size, Object.values(reasons)]).toEqual([60, [60]]);
      expect(Object.keys(reasons)[0]).toContain('is of another one, and "cik" and "isin" change');
    }
  });

  it.each(
    someOf(
      [
        ['cusip,isin', '1,US1', '2,US2', 'a reverse split'],
        ['name,cusip,cik', 'Alpha,1,7', 'Beta,2,7', 'a rename of one company'],
        ['permno,shrcls', '10145,A', '10145,B', 'a renamed class of one share'],
      ],
      3,
    ),
  )('are not seen in columns %s after %s', async (header, one, other) => {
    const text = withColumns(header, [
      [first, one],
      [again, other],
    ]);
    expect((await readText(text)).refusal).toBe('');
  });

  it('are not found in one history', async () => {
    const histories = [
      csv(first) + csv(again),
      csv([...again, ...first]),
      csv([...again.toReversed(), ...first.toReversed()]),
      withColumns('name', [
        [first, 'Facebook'],
        [again, 'Meta Platforms'],
      ]),
      withColumns(
        'id',
        [...first, ...again].map((row, at) => [[row], String(at)]),
      ),
    ];
    for (const text of histories) expect((await readText(text)).closes.size).toBe(60);
    expect((await readText(csv(first) + csv(again))).reasons).toEqual({
      'it repeats the header': 1,
    });
  });

  it('are one where --symbol says so', async () => {
    const { closes } = await readText(csv([...second, ...first]), { symbol: 'ABCD' });
    expect(closes.size).toBe(60);
  });
});
