import { describe, expect, it } from 'vitest';
import { companyFinder } from '../../../../src/ingest/vendors/rss/company-names.ts';

const find = companyFinder(
  Object.entries({
    AAPL: 'Apple Inc.',
    APLE: 'Apple Hospitality REIT, Inc.',
    AMZN: 'Amazon.com, Inc.',
    BA: 'Boeing Company (The)',
    BBY: 'Best Buy Co., Inc.',
    CSX: 'CSX Corporation',
    GOOG: 'Alphabet Inc.',
    GOOGL: 'Alphabet Inc.',
    GPS: 'Gap, Inc.',
    HPQ: 'HP Inc.',
    JPM: 'J P Morgan Chase & Co',
    MCD: "McDonald's Corporation",
    MSFT: 'MICROSOFT CORP',
    NOW: 'ServiceNow, Inc.',
    SPGI: 'S&P Global Inc.',
    SYM1: 'Lakeland Industries, Inc.',
    SYM2: 'Lakeland Bancorp, Inc.',
    TGT: 'Target Corporation',
    BAC: 'Bank of America Corporation',
    WBAI: '500.com Limited',
    TWIN: 'Meridian Gate Corp',
    TWIX: 'Meridian Gate Limited',
  }).map(([symbol, companyName]) => ({ symbol, companyName })),
);

describe('companies are found', () => {
  it.each([
    ['Apple unveils a new chip', ['AAPL']],
    ['Why Apple’s margins hold, and Microsoft’s too', ['AAPL', 'MSFT']],
    ['Amazon and Boeing lead the Dow', ['AMZN', 'BA']],
    ['Shares of Alphabet rise', ['GOOG', 'GOOGL']],
    ['Apple Hospitality raises its dividend', ['APLE']],
    ["McDonald's sales fall; S&P Global cuts its outlook", ['MCD', 'SPGI']],
    ['J.P. Morgan Chase lifts its target', ['JPM']],
    ['CSX and HP report', ['CSX', 'HPQ']],
    ['Bank of America downgrades Target Corp. after Best Buy Co. warns', ['BAC', 'TGT', 'BBY']],
  ])('in "%s"', (text, symbols) => expect(find(text)).toEqual(symbols));
});

describe('no company is found', () => {
  it.each([
    'The Best Buy Now: 3 Stocks to Watch',
    'Analysts raise their price target. Target is 300',
    'Mind the Gap Between Yields',
    'Two apples a day, and amazon forests',
    'Applebee’s opens, Microsofty closes',
    'Apple Bank opens a branch in Queens',
    'APPLE AND MICROSOFT RISE',
    'What Now? Buy in the Global S. P. Market',
    'Lakeland, a town in Florida',
    'Meridian Gate closes its mine',
    'A Bank. Of America he sang',
    'Among S&P 500 Dividend Aristocrats',
    '',
  ])('in "%s"', (text) => expect(find(text)).toEqual([]));
});
