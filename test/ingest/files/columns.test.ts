import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BASIS_RULES, basisFromHeader } from '../../../src/ingest/files/basis.ts';
import { candleColumnsFromHeader } from '../../../src/ingest/files/columns.ts';

function columnsOf(header: string) {
  return candleColumnsFromHeader(header.split(','));
}

describe('a header', () => {
  it('is mapped by name, whatever its case, order and punctuation', () => {
    const plain = { columns: { date: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 } };
    expect(columnsOf('date,open,high,low,close,volume')).toEqual(plain);
    expect(columnsOf('DATETIME,Open*,HIGH,Low,Close**,VOL')).toEqual(plain);
    expect(columnsOf('t,o,h,l,c,v')).toEqual(plain);
    expect(columnsOf('Date,Close/Last,Volume,Open,High,Low')).toEqual({
      columns: { date: 0, close: 1, volume: 2, open: 3, high: 4, low: 5 },
    });
  });

  it("knows Stooq's columns", () => {
    expect(
      columnsOf('<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>'),
    ).toEqual({
      columns: {
        ticker: 0,
        period: 1,
        date: 2,
        time: 3,
        open: 4,
        high: 5,
        low: 6,
        close: 7,
        volume: 8,
      },
    });
  });

  // Files of a MarketStore server were refused for a missing date.
  it('knows the date of a MarketStore file', () => {
    expect(columnsOf('Epoch,Open,High,Low,Close,Volume')).toMatchObject({ columns: { date: 0 } });
    // The column of time of the views of `tapeworks sql`.
    expect(columnsOf('symbol,ts,open,high,low,close,volume')).toMatchObject({
      columns: { date: 1 },
    });
  });

  it('prefers the usual name if two fit', () => {
    expect(columnsOf('time,date,open,high,low,close,last')).toMatchObject({
      columns: { date: 1, close: 5 },
    });
  });

  it('is refused with the reason', () => {
    expect(columnsOf('2017-01-03,1,2,3,4,5')).toEqual({
      reason: 'no header is recognised; a header is like: date,open,high,low,close,volume',
    });
    expect(columnsOf('date,close,volume')).toEqual({
      reason: expect.stringContaining(
        'the header has no column for open, high, low: a bar has four',
      ),
    });
    expect(columnsOf('date,open,high,low,close,Close')).toEqual({
      reason: 'two columns are named "close"',
    });
    // Its stored bars, spoiled ones too, were loaded as traded prices.
    const repairs = 'symbol,date,flag,basis,open,high,low,close,volume,new_open,new_close';
    expect(columnsOf(repairs)).toEqual({ reason: expect.stringContaining('repair --file') });
  });
});

it.each([
  ['Date,Open,High,Low,Close,Volume,OpenInt', 'all'],
  ['<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>', 'all'],
  [',Date,Open,High,Low,Close,Volume,ExDividend,SplitRatio,AdjOpen,AdjHigh,AdjLow,AdjClose', 'raw'],
  ['timestamp,open,high,low,close,adjusted_close,volume,dividend_amount,split_coefficient', 'raw'],
  ['Date,Open,High,Low,Close,Adj Close,Volume', 'split'],
  ['date,open,high,low,close,adjclose,volume', 'split'],
  ['Datetime,Open,High,Low,Close,Adj Close,Volume,Dividends,Stock Splits', 'split'],
  ['Date,Open,High,Low,Close,Volume,Dividends,Stock Splits', 'all'],
  ['ticker,date,open,high,low,close,volume,closeadj,closeunadj,lastupdated', 'split'],
  ['close,high,low,open,symbol,volume,date,uOpen,uClose,uHigh,uLow,uVolume', 'split'],
  ['Date,Open,High,Low,Close,Volume,Turnover,Unadjusted Close,Dividend', 'split'],
  ['symbol,date,open,high,low,close,volume,adjusted', 'split'],
  ['Index,SPY.Open,SPY.High,SPY.Low,SPY.Close,SPY.Volume,SPY.Adjusted', 'split'],
  ['Date,Close/Last,Volume,Open,High,Low', 'split'],
  ['date,open,high,low,close,volume,split_ratio,dividend', 'split'],
  ['date,adj_open,adj_close,open,high,low,close,volume,split_ratio,dividend', 'raw'],
  ['Date,Close,High,Low,Open,Volume', 'all'],
  ['Datetime,Close,High,Low,Open,Volume', 'split'],
  ['Date,Adj Close,Close,High,Low,Open,Volume', 'split'],
  ['t,c,h,l,n,o,v,vw', 'raw'],
  ['date,close,high,low,open,volume', 'raw'],
  ['date,open,high,low,close,volume', 'raw'],
])('%s is of basis %s', (header, basis) => {
  expect(basisFromHeader(header.split(','))).toBe(basis);
});

const readme = new URL('../../../src/ingest/files/README.md', import.meta.url);

it('lists the basis of every kind of header in the README, in the order they are tried', () => {
  const lines = readFileSync(readme, 'utf8').split('\n');
  const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  const table = cells.filter(([, , basis]) => ['raw', 'split', 'all'].includes(basis));
  expect(table.map(([, , basis, writers]) => ({ basis, writers }))).toEqual(
    BASIS_RULES.map(({ basis, writers }) => ({ basis, writers })),
  );
});

// The report said that the volume is 0 beside one that was read.
it('a volume in another language has no note of a missing one', () => {
  const header = ['Datum', 'Eröffnung', 'Hoch', 'Tief', 'Schluss', 'Stück', 'Umsatz'];
  expect(candleColumnsFromHeader(header)).toMatchObject({ columns: { volume: 5 } });
  expect(candleColumnsFromHeader(header)).not.toHaveProperty('notes');
});
