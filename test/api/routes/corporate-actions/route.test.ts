import { describe, expect, it } from 'vitest';
import { corporateActionsSchema } from '../../../../src/api/routes/corporate-actions/schema.ts';
import { dateFromDay } from '../../../../src/base/time/dates.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import { LAST_DAY } from '../../support/market-fixture.ts';

const fixture = useFixtureServer();

const ask = (target: string) => fixture.server.get(`/v1/svc/corporate-actions/${target}`);

describe('GET /svc/corporate-actions/{symbol}', () => {
  it('has splits and dividends, newest first', async () => {
    expect(corporateActionsSchema.parse((await ask('abc')).json).data).toEqual([
      {
        symbol: 'ABC',
        type: 'split',
        exDate: dateFromDay(LAST_DAY - 100),
        numerator: 3,
        denominator: 1,
        amount: null,
        currency: null,
      },
      {
        symbol: 'ABC',
        type: 'dividend',
        exDate: dateFromDay(LAST_DAY - 200),
        numerator: null,
        denominator: null,
        amount: 0.75,
        currency: 'USD',
      },
    ]);
  });

  it('is an empty list for a known symbol without any, with bars or without', async () => {
    expect((await ask('RAW')).json).toEqual({ data: [] });
    expect((await ask('WAIT')).json).toEqual({ data: [] });
  });
});
