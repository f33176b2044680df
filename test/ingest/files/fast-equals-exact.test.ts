/**
 * The typed reader and the exact reader give the same rows for any file. The fast way includes its
 * second look at files that lost a row.
 */

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { isLong } from '../../faults/scale.ts';
import { inputFolder } from '../support/input-folder.ts';
import { fetchOne } from '../support/segment-rows.ts';

const FILE_COUNT = isLong ? 400 : 200;
const FIRST_DAY = 17_000;

/** Texts that readers of numbers often disagree on. */
const oddNumber = fc.constantFrom(
  ...['', ' ', 'nan', 'NaN', '-nan', 'inf', '-inf', 'Infinity', 'null', 'NULL', 'n/a', '-', '--'],
  ...['1e2', '1e400', '1e-400', '-0', '0', '+5', '.5', '5.', '00012', ' 7', '7 ', '\t7', '1_0'],
  ...['1__0', '0x10', '1d', '1f', '1,5', '$5', '5%', '1 000', "'5'", 'true', '9'.repeat(400)],
);
const oddDate = fc.constantFrom(
  ...['', ' 2017-01-03', '2017-1-3', '2017-01-03 ', '2017/01/03', '2017.01.03', '17-01-03'],
  ...['2017-02-30', '2017-13-01', '20170103', '2017-01-03 00:00:00', '2017-01-03T05:00:00Z'],
  ...['2017-01-03x', '0000-00-00', '1899-12-31', '2999-01-01', '-2017-01-03', '2017-001-03'],
);
const oddCompact = fc.constantFrom('2017113', '201711', '201701033', ' 20170103', '2017 113', '');
const odd = { weight: 1, arbitrary: oddNumber };
const price = fc.oneof(
  { weight: 30, arbitrary: fc.integer({ min: 100, max: 102 }).map(String) },
  odd,
);
const volume = fc.oneof({ weight: 30, arbitrary: fc.nat(9).map(String) }, odd);

/** A line of day `index`. Most are good, because a file with many bad lines proves little. */
const lineOf = (index: number, isCompact: boolean) => {
  const date = dateFromDay(FIRST_DAY + index);
  const goodDate = fc.constant(isCompact ? date.replaceAll('-', '') : date);
  const fields = fc.tuple(
    fc.oneof(
      { weight: 30, arbitrary: goodDate },
      { weight: 1, arbitrary: isCompact ? oddCompact : oddDate },
    ),
    ...[price, fc.constant('103'), fc.constant('99'), price, volume],
  );
  const whole = fields.map((texts) => texts.join(','));
  const mangled = fc.oneof(
    whole.map((text) => `${text},`),
    whole.map((text) => `${text},,`),
    whole.map((text) => `${text},9`),
    whole.map((text) => text.slice(0, -4)),
    fc.constantFrom('', ' ', ',,,,,', 'garbage', 'date,open,high,low,close,volume'),
  );
  return fc.oneof({ weight: 60, arbitrary: whole }, { weight: 1, arbitrary: mangled });
};

const file = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.boolean())
  .chain(([count, isCompact]) =>
    fc.tuple(...Array.from({ length: count }, (_, index) => lineOf(index, isCompact))),
  )
  .chain((lines) =>
    fc
      .constantFrom('\n', '\r\n')
      .map((end) => ['date,open,high,low,close,volume', ...lines, ''].join(end)),
  );

const input = inputFolder(file, FILE_COUNT);

it('gives the same rows, refusals and reasons both ways', async () => {
  const { folder, context } = input();
  const fast = await fetchOne(fetchFiles({ path: folder }, context));
  // With a range of days, every file is read exactly, line by line.
  const toDay = dayFromDate('9999-12-31');
  const exact = await fetchOne(fetchFiles({ path: folder, toDay }, context));
  // `toEqual` takes seconds for thousands of rows, but shows the difference better.
  if (!isDeepStrictEqual(fast.rows, exact.rows)) expect(fast.rows).toEqual(exact.rows);
  expect([fast.accepted, fast.rejected, fast.reasons]).toEqual([
    exact.accepted,
    exact.rejected,
    exact.reasons,
  ]);
  expect(fast.segment.skipped).toEqual(exact.segment.skipped);
  // The comparison is useful only if all three kinds of file occur.
  const typed = fast.segment.groups.filter(({ selectSql }) => selectSql.includes('read_csv'));
  const typedCount = typed.flatMap(({ fileIndexes }) => fileIndexes).length;
  const kinds = {
    fastOnly: typedCount - fast.examined.length,
    examined: fast.examined.length,
    exactOnly: fast.segment.files.length - typedCount,
  };
  for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(FILE_COUNT / 20);
});
