/** Vendors' lists of delisted securities, of which only US ones count. */

import { expect, it } from 'vitest';
import { MalformedInputError } from '../../../../src/base/errors.ts';
import { dateFromDay, dayFromDate } from '../../../../src/base/time/dates.ts';
import {
  isDelistedList,
  parseDelistedList,
} from '../../../../src/ingest/vendors/symbols/parse-delisted.ts';

const FMP = `[{"symbol":"TWTR","companyName":"Twitter, Inc.","exchange":"NYSE","ipoDate":"2013-11-07","delistedDate":"2022-10-27"},
 {"symbol":"BRK-C","companyName":"A class","exchange":"NYSE","ipoDate":"","delistedDate":"2020-02-03"},
 {"symbol":"5CV.DE","companyName":"CureVac","exchange":"XETRA","ipoDate":"","delistedDate":"2026-01-02"},
 {"symbol":"SOON","companyName":"Soon","exchange":"NASDAQ","ipoDate":"","delistedDate":"2026-12-02"},
 {"symbol":"BAD","companyName":"Bad","exchange":"NASDAQ","ipoDate":"","delistedDate":"2026-02-30"}]`;
const MASSIVE = `{"results":[{"ticker":"TWTR","name":"Twitter","active":false,"cik":"0001418091","delisted_utc":"2022-10-28T04:00:00Z"},
 {"ticker":"AAPL","active":true},{"ticker":"OLD","active":false}],"status":"OK"}`;
const ALPHA = `symbol,name,exchange,assetType,ipoDate,delistingDate,status
TWTR,"Twitter, Inc",NYSE,Stock,2013-11-07,2022-10-27,Delisted
AAPL,Apple Inc,NASDAQ,Stock,1980-12-12,null,Active
`;

it.each([
  ['FMP', FMP, 'fmp', ['TWTR 2022-10-27', 'BRK.C 2020-02-03'], 1],
  ['Massive', MASSIVE, 'massive', ['TWTR 2022-10-28'], 0],
  ['Alpha Vantage', ALPHA, 'files', ['TWTR 2022-10-27'], 0],
])('reads the list of %s', (name, text, source, expected, refusedCount) => {
  expect(isDelistedList(text)).toBe(true);
  const list = parseDelistedList(text, 'list', dayFromDate('2026-11-29'));
  expect(list.source).toBe(source);
  expect(list.notices.map(({ ticker, day }) => `${ticker} ${dateFromDay(day)}`)).toEqual(expected);
  expect(list.notices[0]).toMatchObject({ form: `list of ${name}`, cik: null, kind: null });
  expect(list.refused).toHaveLength(refusedCount);
});

it('knows other files, and refuses what only begins like one', () => {
  for (const text of ['symbol,name\n', '[{"symbol":"A"}]', '{"fields":["cik"]}']) {
    expect(isDelistedList(text)).toBe(false);
  }
  const cut = () => parseDelistedList(FMP.slice(0, 150), 'list', 0);
  expect(cut).toThrow(MalformedInputError);
});
