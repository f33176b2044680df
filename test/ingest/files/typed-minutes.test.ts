/** The typed way and the exact way give the same rows and refusals for files of minutes. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CALENDAR_FIRST_DAY } from '../../../src/base/time/calendar.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { scaled } from '../../faults/scale.ts';
import { inputFolder } from '../support/input-folder.ts';
import { fetchAll, type Row } from '../support/segment-rows.ts';

const FILE_COUNT = scaled(40, 150);
/** A Thursday's session and the hours around it. */
const OPEN_MS = Date.parse('2026-11-19T14:30:00Z');

const oddStamp = fc.constantFrom(
  ...['', ' ', 'nan', '2026-11-19', '2026-11-19 10:00 ', '2026-11-19 10:00:30', '2026-11-19 9:59'],
  ...['2026-11-19T15:00:00Z', '2026-11-19 10:00:00+01:00', '2026-11-19 10:00:00.000', '11/19/2026'],
  ...['2026-03-08 02:30', '2026-11-01 01:30', '2026-11-19 24:00', '2026-11-19 10:60', '1795104000'],
  ...['2026-11-21 10:00', '1950-01-03 10:00', '2026-11-31 10:00', '2026-11-19 10:00x'],
);
const oddNumber = fc.constantFrom('', ' 7', 'nan', 'inf', '-1', '0', '1e2', '1,5', '-0', '1_0');
const price = fc.oneof(
  { weight: 40, arbitrary: fc.integer({ min: 100, max: 102 }).map(String) },
  { weight: 1, arbitrary: oddNumber },
);

/** A line of minute `index`. Most lines are good. */
const lineOf = (index: number) => {
  const local = new Date(OPEN_MS + index * 60_000 - 5 * 3_600_000).toISOString();
  const stamp = fc.constant(`${local.slice(0, 10)} ${local.slice(11, 16)}`);
  return fc
    .tuple(
      fc.oneof({ weight: 40, arbitrary: stamp }, { weight: 1, arbitrary: oddStamp }),
      ...[price, fc.constant('103'), fc.constant('99'), price, price],
    )
    .map((fields) => fields.join(','));
};

const symbol = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom('AAA', 'BRK-B', 'brk.b') },
  { weight: 1, arbitrary: fc.constantFrom('', '?!') },
);

/** Some files have a column of symbols. */
const file = fc
  .tuple(fc.integer({ min: 12, max: 30 }), fc.boolean())
  .chain(([count, hasSymbols]) =>
    fc.tuple(
      fc.constant(hasSymbols),
      ...Array.from({ length: count }, (_, index) => fc.tuple(symbol, lineOf(index))),
    ),
  )
  .map(([hasSymbols, ...lines]) => {
    const header = 'date,open,high,low,close,volume';
    if (!hasSymbols) return [header, ...lines.map(([, line]) => line), ''].join('\n');
    return [`symbol,${header}`, ...lines.map((fields) => fields.join(',')), ''].join('\n');
  });

const input = inputFolder(file, FILE_COUNT);

it('gives the same rows, refusals and reasons both ways', async () => {
  const { folder, context } = input();
  const asked = { path: folder, interval: '1m', zone: 'America/New_York' } as const;
  const typed = await fetchAll(fetchFiles(asked, context));
  // With a window, files are read line by line.
  const exact = await fetchAll(
    fetchFiles({ ...asked, fromDay: CALENDAR_FIRST_DAY - 9999 }, context),
  );
  expect(typed.map(({ segment: { hours } }) => hours)).toEqual(['regular', 'extended']);
  for (const [index, { rows, rejected, reasons, segment }] of typed.entries()) {
    // Files share symbols and minutes, so only all fields together give an order.
    const sorted = (all: readonly Row[]) => all.map((row) => JSON.stringify(row)).sort();
    expect(sorted(rows)).toEqual(sorted(exact[index].rows));
    expect([rejected, reasons]).toEqual([exact[index].rejected, exact[index].reasons]);
    expect(segment.skipped).toEqual(exact[index].segment.skipped);
  }
  expect(typed[0].rejected).toBeGreaterThan(FILE_COUNT / 3);
  expect(typed[0].accepted).toBeGreaterThan(FILE_COUNT * 10);
});
