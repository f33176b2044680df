/** Text files that are tables of another shape, and plain ones that stay as they are. */

import { describe, expect, it } from 'vitest';
import { isoStamp } from '../../../src/ingest/timing/iso-stamp.ts';
import { rowsOfTable } from './support/table.ts';

const HEADER = 'date,open,high,low,close,volume';

describe('a plain table', () => {
  it.each([
    `${HEADER}\n2024-01-02,1.5,2,1,1.75,100\n`,
    // A row without a date is no second line of a header.
    `${HEADER}\n,1.5,2,1,1.75,100\n2024-01-03,1.5,2,1,1.75,100\n`,
    'Date,Open,High,Low,Close,Volume\n,USD,USD,USD,USD,shares\n2024-01-02,1.5,2,1,1.75,100\n',
    'Date,O,H,L,C,V\n2024-01-02,1.5,2,1,1.75,100\n',
    'date,open,high,low,close,BID_OPEN,BID_HIGH,BID_LOW,BID_CLOSE\n2024-01-02,1,2,1,2,1,2,1,2\n',
    'Date,DAY_OPEN,DAY_HIGH,DAY_LOW,DAY_CLOSE\n2024-01-02,1.5,2,1,1.75\n',
    'Date,BidOpen,BidHigh,BidLow,BidClose\n2024-01-02,1.5,2,1,1.75\n',
    // It ended a load with an internal error.
    'Date,Open,High,Low,Last,52 Wk\n2024-01-02,1.5,2,1,1.75,3\n',
    'time,open,high,low,close\n2024-01-02T09:30:00-05:00,1.5,2,1,1.75\n',
    'Date;Open;High;Low;Close\n02.01.2024;1,5;2,0;1,0;1,75\n',
  ])('%j stays as it is', (text) => {
    expect(rowsOfTable('AAA.csv', text)).toBe('plain');
  });
});

describe('a single ticker in names', () => {
  const row = '2024-01-02,1.5,2,1,1.75\n';
  it.each([
    ['download.csv', 'Date,Open_AAA,High_AAA,Low_AAA,Close_AAA'],
    ['download.csv', '"Index","AAA.Open","AAA.High","AAA.Low","AAA.Close"'],
    ['prices-aaa.csv', 'Date,AAA Open,AAA High,AAA Low,AAA Close'],
  ])('of %s is the symbol: %s', (name, header) => {
    const [names] = rowsOfTable(name, `${header}\n${row}`) as string[][];
    expect(names).toEqual(['date', 'Open', 'High', 'Low', 'Close']);
  });

  it('is none if it may be a word', () => {
    const text = `Date,AAA Open,AAA High,AAA Low,AAA Close\n${row}`;
    expect(rowsOfTable('download.csv', text)).toBe('plain');
  });
});

it('a printed data frame with numbered rows is cut at blanks, gaps included', () => {
  const rows = ['0  2024-01-02   1.5     2    1   1.75', '10 2024-01-03   NaN   NaN  NaN    NaN'];
  const text = `         Date  Open  High  Low  Close\n${rows.join('\n')}\n`;
  expect(rowsOfTable('AAA.txt', text)).toEqual([
    ['Date', 'Open', 'High', 'Low', 'Close'],
    ['2024-01-02', '1.5', '2', '1', '1.75'],
    ['2024-01-03', 'NaN', 'NaN', 'NaN', 'NaN'],
  ]);
  const cut = text.replace('10 ', '..        ...   ...   ...  ...    ...\n10 ');
  expect(() => rowsOfTable('AAA.txt', cut)).toThrow('rows were left out when it was printed');
});

describe('languages of Investing.com', () => {
  it.each([
    ['Datum,Zuletzt,Eröffn.,Hoch,Tief,Vol.,+/- %', 'German'],
    ['Date,Dernier,Ouv., Plus Haut,Plus Bas,Vol.,Variation %', 'French'],
    ['Fecha,Último,Apertura,Máximo,Mínimo,Vol.,% var.', 'Spanish'],
    ['Data,Ultimo,Apertura,Massimo,Minimo,Vol.,Var. %', 'Italian'],
    ['Data,Último,Abertura,Máxima,Mínima,Vol.,Var%', 'Portuguese'],
    ['Datum,Laatst,Open,Hoog,Laag,Vol.,+/- %', 'Dutch'],
    ['Data,Ostatnio,Otwarcie,Max.,Min.,Wol.,Zmiana%', 'Polish'],
    ['Tarih,Şimdi,Açılış,Yüksek,Düşük,Hac.,Fark %', 'Turkish'],
    ['Дата,Цена,Откр.,Макс.,Мин.,Объём,Изм. %', 'Russian'],
    ['日付け,終値,始値,高値,安値,出来高,変化率 %', 'Japanese'],
    ['日期,收盘,开盘,高,低,交易量,涨跌幅', 'Chinese'],
    ['日期,收市,開市,高,低,成交量,更改%', 'Chinese of Hong Kong'],
    ['日付,終値,始値,高値,安値,出来高,変化率 %', 'Japanese of today'],
    ['Päivämäärä,Viimeisin,Avaus,Ylin,Alin,Vol.,Muutos %', 'Finnish'],
    ['Ημερομηνία,Τελευταία,Άνοιγμα,Υψηλό,Χαμηλό,Όγκος,Μεταβολή %', 'Greek'],
    ['Dato,Seneste,Åbning,Høj,Lav,Vol.,+/- %', 'Danish'],
    ['Dato,Luk,Åbningskurs,Højeste,Laveste,Antal aktier,+/- %', 'Danish of banks'],
    [
      'Datum,Stängningskurs,Öppningskurs,Högstkurs,Lägstkurs,Omsatt antal,+/- %',
      'Swedish of banks',
    ],
    ['Dato,Siste,Åpning,Høy,Lav,Vol.,+/- %', 'Norwegian'],
    ['Dato,Siste,Åpen,Høy,Lav,Vol.,Endring %', 'Norwegian of today'],
    ['วันเดือนปี,ล่าสุด,เปิด,สูงสุด,ต่ำสุด,ปริมาณ,% เปลี่ยน', 'Thai of today'],
    ['תאריך,שער,פתיחה,גבוה,נמוך,נפח,% שינוי', 'Hebrew'],
    ['التاريخ,السعر,الافتتاح,الأعلى,الأدنى,الحجم,التغير %', 'Arabic'],
    ['Ngày,Lần cuối,Mở,Cao,Thấp,KL,% Thay đổi', 'Vietnamese'],
    ['Tanggal,Terakhir,Pembukaan,Tertinggi,Terendah,Vol.,Perubahan%', 'Indonesian'],
    ['วันเดือนปี,ล่าสุด,เปิด,สูง,ต่ำ,ปริมาณ,% เปลี่ยน', 'Thai'],
    ['날짜,종가,시가,고가,저가,거래량,변동 %', 'Korean'],
  ])('%s', (header) => {
    const row = '"02.01.2024","1.185,64","1.187,15","1.188,44","1.183,89","1,5M","-3,58%"';
    expect(rowsOfTable('AAA.csv', `${header}\n${row}\n`)).toEqual([
      ['Date', 'Close', 'Open', 'High', 'Low', 'Volume', header.split(',').at(-1)],
      ['2024-01-02', '1.185,64', '1.187,15', '1.188,44', '1.183,89', '1,5M', '-3,58%'],
    ]);
  });
});

describe('dates', () => {
  it.each([
    ['Oct 2, 2023', '2023-10-02'],
    ['October 2nd, 2023', '2023-10-02'],
    ['Monday, January 2, 2024', '2024-01-02'],
    ['02-OCT-2023', '2023-10-02'],
    ['2-Oct-23', '2023-10-02'],
    ['2 Jan 2024', '2024-01-02'],
    ['2024-Jan-02', '2024-01-02'],
    ['02JAN2024', '2024-01-02'],
    ['2jan24', '2024-01-02'],
    ['2. January 2024', '2024-01-02'],
    ['02.Jan.2024', '2024-01-02'],
    ['Tue Jan 02 09:30:00 EST 2024', '2024-01-02 09:30:00-05:00'],
    ['Tue Jan  2 09:30:00 2024', '2024-01-02 09:30:00'],
    ['02JAN2024:09:30:00', '2024-01-02 09:30:00'],
    ['Tue, 02 Jan 2024 00:00:00 GMT', '2024-01-02 00:00:00Z'],
    ['Tue Jan 02 2024 09:30:00 GMT-0500 (Eastern Standard Time)', '2024-01-02 09:30:00-05:00'],
    ['1/2/2024 9:30:00 AM', '1/2/2024 09:30:00'],
    ['1/2/2024 12:05 PM', '1/2/2024 12:05:00'],
    ['1/2/2024 12:05 AM', '1/2/2024 00:05:00'],
    ['20240102  09:30:00', '20240102 09:30:00'],
    ['2024-01-02 09:30:00 EST', '2024-01-02 09:30:00-05:00'],
    ['2024-01-02/2024-01-02', '2024-01-02'],
  ])('%s is %s', (text, iso) => {
    expect(isoStamp(text)).toEqual({ text: iso });
  });

  it('state the zone that they name', () => {
    expect(isoStamp('20240102 09:30:00 US/Eastern')).toEqual({
      text: '20240102 09:30:00',
      zone: 'US/Eastern',
    });
  });

  it.each([
    '2024-01-02',
    '2024-01-01/2024-01-07',
    'Foo 2, 2024',
    'Q1 2024',
    'Jan 2024',
    'JAN2024',
    '02JAN',
    '',
  ])('%j stays as it is', (text) => {
    expect(isoStamp(text)).toBeUndefined();
  });

  // They were 2099, whose weekdays prove the same order.
  it('of Finam before 2000 are of the last century', () => {
    const lines = ['190199', '200199', '210199', '220199'].map((day) => `${day},1,2,1,2,5`);
    const header = '<DATE>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>';
    const rows = rowsOfTable('AAA.csv', `${header}\n${lines.join('\n')}\n`) as string[][];
    expect(rows.slice(1).map(([date]) => date)).toEqual([
      ...['1999-01-19', '1999-01-20', '1999-01-21', '1999-01-22'],
    ]);
  });

  it('of Excel on a Mac count from 1904, if only that has no weekends', () => {
    const days = [43_831, 43_832, 43_833, 43_834, 43_837];
    const lines = days.map((day) => `${day},1,2,1,2,5`);
    const rows = rowsOfTable('AAA.csv', `${HEADER}\n${lines.join('\n')}\n`) as string[][];
    expect(rows.slice(1).map(([date]) => date)).toEqual([
      ...['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08'],
    ]);
  });
});

describe('a file without a header', () => {
  it('has the usual order, with an adjusted close', () => {
    const text = `2024-01-02,1.5,2,1,1.75,1.7,100
2024-01-03,1.75,2.5,1.5,2,1.9,200
`;
    const [header] = rowsOfTable('AAA.csv', text) as string[][];
    expect(header).toEqual(['<DATE>', 'open', 'high', 'low', 'close', 'column6', 'volume']);
  });

  it('has another order that the closes before prove', () => {
    const closes = [10, 11, 12, 11, 10, 9, 10];
    const lines = closes.map((close, day) => {
      const open = closes[day - 1] ?? 10;
      const [high, low] = [Math.max(open, close) + 0.5, Math.min(open, close) - 0.5];
      return `2024-01-${String(day + 8).padStart(2, '0')},${close},${high},${low},${open},1000`;
    });
    expect(() => rowsOfTable('AAA.csv', `${lines.join('\n')}\n`)).toThrow(
      'its columns look like close, high, low and open',
    );
    const swapped = lines.map((line) => {
      const [date, close, high, low, open, volume] = line.split(',');
      return [date, volume, high, open, low, close].join(',');
    });
    const [header] = rowsOfTable('AAA.csv', `${swapped.join('\n')}\n`) as string[][];
    expect(header).toEqual(['<DATE>', 'volume', 'high', 'open', 'low', 'close']);
  });

  it.each([
    ['2024-01-02,1,1,1,1,100\n', 'no columns are bounded as high and low are'],
    [
      '2024-01-02,1.5,2,1,1.75,100,7\n2024-01-03,1.5,2,1,1.75,100,8\n',
      'several columns may be its volume',
    ],
    ['2024-01-02,2,1,1.5,1.75,100\n', 'open and close cannot be told apart'],
  ])('%j is refused', (text, reason) => {
    expect(() => rowsOfTable('AAA.csv', text)).toThrow(reason);
  });
});

describe('tickers and fields of several symbols', () => {
  const row = '2024-01-02,1.5,11.5,2,12,1,11,1.75,11.75\n';
  const FIELDS = ['Open', 'High', 'Low', 'Close'];
  const names = (nameOf: (field: string, symbol: string) => string) =>
    ['Date', ...FIELDS.flatMap((field) => ['AAA', 'BBB'].map((one) => nameOf(field, one)))].join();
  it.each([
    names((field, symbol) => `${field} (${symbol})`),
    names((field, symbol) => `${symbol} [${field}]`),
    `Field,Open,Open,High,High,Low,Low,Close,Close\nSymbol${',AAA,BBB'.repeat(4)}\nDate,,,,,,,,`,
    `Date,Open,Open,High,High,Low,Low,Close,Close\n${',AAA,BBB'.repeat(4)}`,
  ])('are rows: %j', (header) => {
    expect(rowsOfTable('prices.csv', `${header}\n${row}`)).toEqual([
      ['date', ...FIELDS, 'symbol'],
      ['2024-01-02', '1.5', '2', '1', '1.75', 'AAA'],
      ['2024-01-02', '11.5', '12', '11', '11.75', 'BBB'],
    ]);
  });
});

describe('a wide table of closes', () => {
  it.each([
    'Date,AAPL,MSFT\n2024-01-02,185.64,370.87\n',
    'Price,Close,Close\nTicker,AAPL,MSFT\nDate,,\n2024-01-02,185.64,370.87\n',
  ])('%j is refused by what it is', (text) => {
    expect(() => rowsOfTable('prices.csv', text)).toThrow(
      'it is a wide table of one price a symbol (AAPL, MSFT): a bar needs open, high, low and ' +
        'close, so save all of them, in columns such as AAPL_Open, AAPL_High, AAPL_Low and AAPL_Close',
    );
  });
});

it("bars of two of Databento's venues are refused", () => {
  const text = `ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol
2024-01-02T00:00:00Z,35,2,38,1.5,2,1,1.75,100,AAA
2024-01-02T00:00:00Z,35,39,38,1.5,2,1,1.75,50,AAA
`;
  expect(() => rowsOfTable('AAA.csv', text)).toThrow(
    'it holds bars of several venues (publisher_id 2 and 39)',
  );
});

it('LEAN quotes are refused', () => {
  const text = `34200000,${'1,'.repeat(9)}1\n`;
  expect(() => rowsOfTable('20240102_aaa_minute_quote.csv', text)).toThrow('it holds quotes');
});
