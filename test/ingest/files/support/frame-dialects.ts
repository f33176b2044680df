import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedFolder } from '../../../support/folders.ts';
import { inMemory } from '../../support/in-memory.ts';
import type { Dialect } from './dialect.ts';

/** A Parquet file of the rows of a statement. */
async function parquetOf(select: string): Promise<Buffer> {
  const path = join(sharedFolder(), 'frame.parquet');
  await inMemory((connection) => connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`));
  return readFileSync(path);
}

/** Columns of a frame of two levels, as pandas names them in Parquet. */
function columnsOf(symbol: string, values: readonly string[]): string {
  const fields = ['Close', 'High', 'Low', 'Open', 'Volume'];
  return values.map((value, at) => `${value} AS "('${fields[at]}', '${symbol}')"`).join(', ');
}

/** Files of data frames of Python and R. */
export const FRAME_DIALECTS: Record<string, Dialect> = {
  'yfinance, one ticker': {
    file: 'download.csv',
    content: `Price,Close,High,Low,Open,Volume
Ticker,AAA,AAA,AAA,AAA,AAA
Date,,,,,
2024-01-02,1.75,2,1,1.5,100
2024-01-03,2,2.5,1.5,1.75,200
`,
    basis: 'all',
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100', 'AAA 2024-01-03 1.75 2.5 1.5 2 200'],
  },
  'yfinance, several tickers': {
    file: 'download.csv',
    // BBB was listed a day later.
    content: `Price,Close,Close,High,High,Low,Low,Open,Open,Volume,Volume
Ticker,AAA,BBB,AAA,BBB,AAA,BBB,AAA,BBB,AAA,BBB
Date,,,,,,,,,,
2024-01-02,1.75,,2,,1,,1.5,,100,
2024-01-03,2,52,2.5,53,1.5,50,1.75,51,200,900
`,
    basis: 'all',
    bars: [
      'AAA 2024-01-02 1.5 2 1 1.75 100',
      'AAA 2024-01-03 1.75 2.5 1.5 2 200',
      'BBB 2024-01-03 51 53 50 52 900',
    ],
  },
  "yfinance, group_by='ticker'": {
    file: 'download.csv',
    content: `Ticker,LOW,LOW,LOW,LOW,LOW,OPEN,OPEN,OPEN,OPEN,OPEN
Price,Open,High,Low,Close,Volume,Open,High,Low,Close,Volume
Date,,,,,,,,,,
2024-01-02,1.5,2,1,1.75,100,51,53,50,52,900
2024-01-03,1.75,2.5,1.5,2,200,,,,,
`,
    basis: 'all',
    bars: [
      'LOW 2024-01-02 1.5 2 1 1.75 100',
      'LOW 2024-01-03 1.75 2.5 1.5 2 200',
      'OPEN 2024-01-02 51 53 50 52 900',
    ],
  },
  'yfinance, read and written again': {
    file: 'download.csv',
    content: `,Price,Close,Close.1,High,High.1,Low,Low.1,Open,Open.1,Volume,Volume.1
0,Ticker,AAA,BBB,AAA,BBB,AAA,BBB,AAA,BBB,AAA,BBB
1,Date,,,,,,,,,,
2,2024-01-02,1.75,52,2,53,1,50,1.5,51,100,900
`,
    basis: 'all',
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100', 'BBB 2024-01-02 51 53 50 52 900'],
  },
  'yfinance, Parquet': {
    file: 'download.parquet',
    // A ticker without a bar on a day has no number, or NaN.
    content: `
      SELECT ${columnsOf('AAA', ['1.75', '2.0', '1.0', '1.5', '100'])},
        ${columnsOf('BBB', [...Array(4).fill("'NaN'::DOUBLE"), 'NULL::BIGINT'])},
        TIMESTAMP '2024-01-02' AS "Date"
      UNION ALL SELECT 2.0, 2.5, 1.5, 1.75, 200, 52, 53, 50, 51, 900, TIMESTAMP '2024-01-03'`,
    pack: parquetOf,
    basis: 'all',
    bars: [
      'AAA 2024-01-02 1.5 2 1 1.75 100',
      'AAA 2024-01-03 1.75 2.5 1.5 2 200',
      'BBB 2024-01-03 51 53 50 52 900',
    ],
  },
  'pandas, two levels after reset_index': {
    file: 'download.csv',
    content: `Price,Date,Close,Close,High,High,Low,Low,Open,Open,Volume,Volume
Ticker,,AAA,BBB,AAA,BBB,AAA,BBB,AAA,BBB,AAA,BBB
0,2024-01-02,1.75,52,2,53,1,50,1.5,51,100,900
`,
    basis: 'all',
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100', 'BBB 2024-01-02 51 53 50 52 900'],
  },
  'pandas, names of two levels as tuples': {
    basis: 'all',
    file: 'download.csv',
    content: `Date,"('Close', 'AAA')","('High', 'AAA')","('Low', 'AAA')","('Open', 'AAA')","('Volume', 'AAA')"
2024-01-02,1.75,2,1,1.5,100
`,
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100'],
  },
  'pandas, index without a name': {
    file: 'AAA.csv',
    content: ',open,high,low,close,volume\n2024-01-02,1.5,2,1,1.75,100\n',
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100'],
  },
  'pandas, index without a name, read and written again': {
    file: 'AAA.csv',
    content: 'Unnamed: 0,open,high,low,close,volume\n2024-01-02,1.5,2,1,1.75,100\n',
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100'],
  },
  quantmod: {
    file: 'prices.csv',
    content: `"Index","BRK-A.Open","BRK-A.High","BRK-A.Low","BRK-A.Close","BRK-A.Volume","BRK-A.Adjusted"
2024-01-02,1.5,2,1,1.75,100,1.7
2024-01-03,1.75,2.5,1.5,2,200,1.9
`,
    bars: ['BRK.A 2024-01-02 1.5 2 1 1.75 100', 'BRK.A 2024-01-03 1.75 2.5 1.5 2 200'],
    basis: 'split',
  },
  'two levels with merged cells': {
    file: 'prices.csv',
    content: `,AAA,,,,,BBB,,,,
Date,Open,High,Low,Close,Volume,Open,High,Low,Close,Volume
2024-01-02,1.5,2,1,1.75,100,51,53,50,52,900
`,
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100', 'BBB 2024-01-02 51 53 50 52 900'],
  },
  yfR: {
    file: 'prices.csv',
    content: `ticker,ref_date,price_open,price_high,price_low,price_close,volume,price_adjusted
AAA,2024-01-02,1.5,2,1,1.75,100,1.7
AAA,2024-01-03,1.75,2.5,1.5,2,200,1.9
`,
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100', 'AAA 2024-01-03 1.75 2.5 1.5 2 200'],
    basis: 'split',
  },
  'Folders of days': {
    file: 'year=2024/date=2024-01-02/part-00000.csv',
    content: 'symbol,open,high,low,close,volume\nAAA,1.5,2,1,1.75,100\nBBB,51,53,50,52,900\n',
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100', 'BBB 2024-01-02 51 53 50 52 900'],
  },
  'Folders of symbols': {
    file: 'symbol=AAA/part-00000.csv',
    content: 'date,open,high,low,close,volume\n2024-01-02,1.5,2,1,1.75,100\n',
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100'],
  },
  'a column a ticker and field, in JSON': {
    file: 'prices.json',
    content: JSON.stringify({
      columns: ['Open', 'High', 'Low', 'Close', 'Volume'].map((field) => [field, 'AAA']),
      index: [1_704_153_600_000, 1_704_240_000_000],
      data: [
        [1.5, 2, 1, 1.75, 100],
        [1.75, 2.5, 1.5, 2, 200],
      ],
    }),
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100', 'AAA 2024-01-03 1.75 2.5 1.5 2 200'],
  },
  'a column a ticker and field': {
    file: 'prices.csv',
    content: `Date,Open_AAA,High_AAA,Low_AAA,Close_AAA,Volume_AAA,Open_BBB,High_BBB,Low_BBB,Close_BBB,Volume_BBB
2024-01-02,1.5,2,1,1.75,100,51,53,50,52,900
`,
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100', 'BBB 2024-01-02 51 53 50 52 900'],
  },
};
