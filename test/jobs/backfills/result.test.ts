import { expect, it } from 'vitest';
import { endFromOutcome } from '../../../jobs/backfills/result.ts';

it('names fields of the API where the advice names options of the command', () => {
  const reason = 'say it with --date-format, or load them with --complete or --complete-for A,B';
  const { error } = endFromOutcome({ failure: { kind: 'empty', reason } }, '/data', 'bf_1');
  expect(error).toBe(
    'say it with the field date_format, or load them with the field complete or the field complete_for A,B',
  );
});
