import { expect, test } from 'vitest';
import { settle } from '../../../src/ingest/contract/reading.ts';

const daily = { value: '1d', words: 'daily bars' };
const weekly = { value: '1w', words: 'weekly bars' };
const remedy = 'say which with --interval';

test('the default is the answer where no fact speaks', () => {
  const answer = settle({ aspect: 'interval', candidates: [daily, weekly], remedy });
  expect(answer).toEqual({ value: '1d', words: 'daily bars', facts: [] });
});

test('the only candidate with facts is the answer', () => {
  const candidates = [daily, { ...weekly, facts: ['the column "interval" says 1wk'] }];
  expect(settle({ aspect: 'interval', candidates, remedy })).toEqual({
    value: '1w',
    words: 'weekly bars',
    facts: ['the column "interval" says 1wk'],
  });
});

test('a contradiction takes a candidate out, and its facts decide', () => {
  const candidates = [{ ...daily, contradictions: ['its dates are 7 days apart'] }, weekly];
  expect(settle({ aspect: 'interval', candidates, remedy })).toEqual({
    value: '1w',
    words: 'weekly bars',
    facts: ['not daily bars: its dates are 7 days apart'],
  });
});

test('two candidates with facts are refused with both, and with the remedy', () => {
  const candidates = [
    { ...daily, facts: ['its name says "daily"'] },
    { ...weekly, facts: ['its dates are 7 days apart'] },
  ];
  expect(settle({ aspect: 'interval', candidates, remedy })).toEqual({
    reason:
      'it may hold daily bars (its name says "daily") or weekly bars (its dates are 7 days apart): say which with --interval',
  });
});

test('candidates that are all contradicted are refused with the facts', () => {
  const candidates = [
    { ...daily, facts: ['its name says "daily"'], contradictions: ['its dates are 7 days apart'] },
    { ...weekly, contradictions: ['each is another weekday'] },
  ];
  expect(settle({ aspect: 'interval', candidates, remedy })).toEqual({
    reason:
      'it may hold daily bars (its name says "daily", but its dates are 7 days apart) or weekly bars (each is another weekday): say which with --interval',
  });
});
