/** A folder that was exported for LEAN gave its bars back, and lost its splits and dividends. */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fetchActionFiles } from '../../../src/ingest/rows/action-files.ts';
import { eachTest } from '../support/each-test.ts';

const at = eachTest();

async function actionsOf(text: string, name = 'factor_files/aaa.csv') {
  await at.write({ [name]: text });
  const options = { path: join(at.folder, name) };
  const [segment] = await Array.fromAsync(fetchActionFiles(options, at.context));
  return segment.actions?.map(({ symbol, splits, dividends }) => ({ symbol, splits, dividends }));
}

const day = (date: string) => Date.parse(date) / 86_400_000;

it("LEAN's factors of few digits give whole splits and dividends", async () => {
  const lines = [
    '19980102,0.8934785,0.142857,13.63',
    '20130508,0.8934785,0.142857,463.84',
    '20140606,0.8993563,0.142857,645.57',
    '20501231,0.8993563,1,0',
  ];
  expect(await actionsOf(`${lines.join('\n')}\n`)).toEqual([
    {
      symbol: 'AAA',
      splits: [{ exDay: day('2014-06-09'), numerator: 7, denominator: 1 }],
      dividends: [expect.objectContaining({ exDay: day('2013-05-09'), amount: 3.0315 })],
    },
  ]);
});

it('those of the export give a dividend before and after a split, and 3:2 and 1:10', async () => {
  const lines = [
    '20240116,0.987063361218,0.25,96.93',
    '20240130,0.992181391712,0.25,101.77',
    '20240213,0.992181391712,1,25.58',
    '20240214,1,1,40',
    '20240215,1,1.5,40',
    '20240216,1,0.15,40',
  ];
  const [{ splits, dividends }] = (await actionsOf(lines.join('\n')))!;
  expect(splits.map(({ numerator, denominator }) => [numerator, denominator])).toEqual([
    [4, 1],
    [3, 2],
    [1, 10],
  ]);
  expect(dividends.map(({ exDay, amount }) => [exDay, amount])).toEqual([
    [day('2024-01-17'), 0.5],
    [day('2024-02-14'), 0.2],
  ]);
});

it('a line of another form leaves the list incomplete', async () => {
  await expect(actionsOf('20240116,0.5,1,10\n20240117,x,1,10\n')).rejects.toThrow(
    'line is not one of a factor file',
  );
});
