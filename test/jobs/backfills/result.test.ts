import { expect, it } from 'vitest';
import { endFromOutcome } from '../../../jobs/backfills/result.ts';

it('names fields of the API where the advice names options of the command', () => {
  const reason = 'say it with --date-format, or load them with --complete or --complete-for A,B';
  const { error } = endFromOutcome({ failure: { kind: 'empty', reason } }, '/data', 'bf_1');
  expect(error).toBe(
    'say it with the field date_format, or load them with the field complete or the field complete_for A,B',
  );
});

it('ends in failure where all rows of an upload are refused', () => {
  const reason = 'it holds several securities';
  const nothing = { segments: 1, accepted: 0, deadJobs: [], loaded: [], notes: [], readings: [] };
  const errorOf = (rows: object) =>
    endFromOutcome({ report: { ...nothing, ...rows } as never }, '/data', 'bf_1').error;
  const refused = { rejected: 2, rejectedByReason: { [reason]: 2 }, skipped: [] };
  expect(errorOf(refused)).toBe(`2 rows: ${reason}`);
  expect(errorOf({ ...refused, skipped: [{ name: 'A.csv', reason }] })).toBe(`${reason} (A.csv)`);
  expect(errorOf({ ...refused, accepted: 1 })).toBeNull();
  // What was stored before, or has no new rows.
  expect(errorOf({ rejected: 0, rejectedByReason: {}, skipped: [] })).toBeNull();
});
