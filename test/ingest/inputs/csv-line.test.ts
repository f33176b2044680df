import { expect, it } from 'vitest';
import { csvFields } from '../../../src/ingest/inputs/csv-line.ts';

it.each([
  ['a,b,,d', ['a', 'b', '', 'd']],
  [' a , b', ['a', 'b']],
  ['"a","1,234.50","say ""hi""",', ['a', '1,234.50', 'say "hi"', '']],
  ['a,"b', ['a', '']],
  ['', ['']],
])('cuts %s', (line, fields) => {
  expect(csvFields(line, ',')).toEqual(fields);
});
