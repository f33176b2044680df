import { describe, expect, test } from 'vitest';
import { intervalFromPeriod, otherBarsFromPeriod } from '../../../src/ingest/timing/periods.ts';

describe('a length of bars as vendors spell it', () => {
  test.each([
    ['1 day', '1d'],
    ['Daily', '1d'],
    ['1 min', '1m'],
    ['5 mins', '5m'],
    ['5-Min', '5m'],
    ['1440', '1d'],
    ['86400', '1d'],
    ['B', '1d'],
    ['M', undefined],
    ['1M', undefined],
    ['1 week', undefined],
  ])('"%s" is %s', (text, interval) => {
    expect(intervalFromPeriod(text)).toBe(interval);
  });

  test.each([
    ['1 week', 'weekly bars'],
    ['1 month', 'monthly bars'],
    ['10080', 'weekly bars'],
    ['W-MON', 'weekly bars'],
    ['W-FRI', 'weekly bars'],
    ['604800', 'weekly bars'],
    ['ME', 'monthly bars'],
    ['43200', 'monthly bars'],
    ['1M', 'monthly bars'],
    ['15 mins', 'bars of 15 mins'],
    ['30 secs', 'bars of 30 secs'],
    ['1 hour', 'bars of 1 hour'],
    ['5 mins', undefined],
    ['42', undefined],
  ])('"%s" is another length: %s', (text, words) => {
    expect(otherBarsFromPeriod(text)).toBe(words);
  });
});
