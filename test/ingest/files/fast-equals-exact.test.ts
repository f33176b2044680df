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
import { type Fetched, fetchAll } from '../support/segment-rows.ts';

const FILE_COUNT = isLong ? 400 : 150;
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
/** Texts of a column of adjustments. Rows without a basis have that of the header: raw. */
const basis = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom('raw', 'Raw', ' raw', '', 'none', '1.25') },
  { weight: 1, arbitrary: fc.constantFrom('all', 'split', ' all ', 'ALL', '"all"') },
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

const HEADER: string = 'date,open,high,low,close,volume';

/** Half of the files have a column of adjustments. */
const file = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.boolean(), fc.boolean())
  .chain(([count, isCompact, hasBasis]) => {
    const lines = Array.from({ length: count }, (_, index) => lineOf(index, isCompact));
    if (!hasBasis) return fc.tuple(fc.constant(HEADER), ...lines);
    const rows = lines.map((line) => fc.tuple(line, basis).map((fields) => fields.join(',')));
    return fc.tuple(fc.constant(`${HEADER},adjustment`), ...rows);
  })
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => [...lines, ''].join(end)));

const input = inputFolder(file, FILE_COUNT);

it('gives the same rows, refusals and reasons both ways', async () => {
  const { folder, context } = input();
  const fast = await fetchAll(fetchFiles({ path: folder }, context));
  // With a range of days, every file is read exactly, line by line.
  const toDay = dayFromDate('9999-12-31');
  const exact = await fetchAll(fetchFiles({ path: folder, toDay }, context));
  const facts = ({ segment, accepted, rejected, reasons }: Fetched) => {
    return [segment.basis, segment.skipped, accepted, rejected, reasons];
  };
  expect(fast.map(facts)).toEqual(exact.map(facts));
  // `toEqual` takes seconds for thousands of rows, but shows the difference better.
  const rows = [fast, exact].map((segments) => segments.map((segment) => segment.rows));
  if (!isDeepStrictEqual(rows[0], rows[1])) expect(rows[0]).toEqual(rows[1]);
  // The comparison is useful only if all bases and all three kinds of file occur.
  expect(fast.map(({ segment }) => segment.basis)).toEqual(['raw', 'split', 'all']);
  const [{ segment, examined, reasons }] = fast;
  const otherBasis = "adjustment is not its symbol's (raw): put such rows in a file of their own";
  expect(reasons[otherBasis]).toBeGreaterThan(FILE_COUNT / 20);
  const typed = segment.groups.filter(({ selectSql }) => selectSql.includes('read_csv'));
  const typedCount = typed.flatMap(({ fileIndexes }) => fileIndexes).length;
  const kinds = {
    fastOnly: typedCount - examined.length,
    examined: examined.length,
    exactOnly: segment.files.length - typedCount,
  };
  for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(FILE_COUNT / 20);
});
