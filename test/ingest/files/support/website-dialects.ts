import type { Dialect } from './dialect.ts';

const bars = ['AAA 2024-01-02 1.5 2 1 1.75 100', 'AAA 2024-01-03 1.75 2.5 1.5 2 200'];
const minutes = [
  'AAA 2024-01-02T14:30:00Z 1.5 2 1 1.75 100',
  'AAA 2024-01-02T14:31:00Z 1.75 2.5 1.5 2 200',
];

/** Downloads from pages of prices. */
export const WEBSITE_DIALECTS: Record<string, Dialect> = {
  'Investing.com': {
    file: 'AAA.csv',
    content: `\ufeff"Date","Price","Open","High","Low","Vol.","Change %"
"12/29/2023","1,192.53","1,193.90","1,194.40","1,191.73","42.67M","-0.54%"
"12/28/2023","1,193.58","1,194.14","1,194.66","1,193.17","1.5K","0.22%"
`,
    bars: [
      'AAA 2023-12-28 1194.14 1194.66 1193.17 1193.58 1500',
      'AAA 2023-12-29 1193.9 1194.4 1191.73 1192.53 42670000',
    ],
  },
  'Investing.com in German': {
    file: 'AAA.csv',
    content: `"Datum","Zuletzt","Eröffn.","Hoch","Tief","Vol.","+/- %"
"02.01.2024","1.185,640","1.187,150","1.188,440","1.183,890","82,49M","-3,58%"
"03.01.2024","184,250","184,220","185,880","183,430","1,02B","-0,75%"
`,
    bars: [
      'AAA 2024-01-02 1187.15 1188.44 1183.89 1185.64 82490000',
      'AAA 2024-01-03 184.22 185.88 183.43 184.25 1020000000',
    ],
  },
  'Investing.com in French': {
    file: 'AAA.csv',
    content: `"Date","Dernier","Ouv."," Plus Haut","Plus Bas","Vol.","Variation %"
"03/01/2024","184,25","184,22","185,88","183,43","58,41M","-0,75%"
"02/01/2024","185,64","187,15","188,44","183,89","82,49M","-3,58%"
`,
    bars: [
      'AAA 2024-01-02 187.15 188.44 183.89 185.64 82490000',
      'AAA 2024-01-03 184.22 185.88 183.43 184.25 58410000',
    ],
  },
  'Investing.com in Spanish, Italian and Portuguese': {
    file: 'AAA.csv',
    content: `"Fecha","Último","Apertura","Máximo","Mínimo","Vol.","% var."
"02.01.2024","10,074","10,060","10,148","9,987","10,36M","-0,08%"
`,
    bars: ['AAA 2024-01-02 10.06 10.148 9.987 10.074 10360000'],
  },
  'Investing.com in Turkish, Polish and Russian': {
    file: 'AAA.csv',
    content: `"Tarih","Şimdi","Açılış","Yüksek","Düşük","Hac.","Fark %"
"02.01.2024","185,64","187,15","188,44","183,89","82,49M","-3,58%"
`,
    bars: ['AAA 2024-01-02 187.15 188.44 183.89 185.64 82490000'],
  },
  'Other words of these languages': {
    file: 'AAA.csv',
    content: `Datum;Open;Höchstkurs;Laagste;Slutkurs;Handelsvolumen
2024-01-02;1,5;2,0;1,0;1,75;100
2024-01-03;1,75;2,5;1,5;2,0;200
`,
    bars,
  },
  'Short words and prices in these languages': {
    file: 'AAA.csv',
    content: `date;ouv;Prezzo massimo;mín;Schlusspreis;qtd;quantité
2024-01-02;1,5;2,0;1,0;1,75;7;100
2024-01-03;1,75;2,5;1,5;2,0;7;200
`,
    bars,
  },
  'Lines above the header': {
    file: 'prices.csv',
    content: `sep=;
# Historical prices
Symbol;AAA

Date;Open;High;Low;Close;Volume
2024-01-02;1.5;2;1;1.75;100
2024-01-03;1.75;2.5;1.5;2;200
`,
    bars,
  },
  Macrotrends: {
    file: 'MacroTrends_Data_Download_AAA.csv',
    content: `Macrotrends Data Download

"AAA - Historical Price and Volume Data"
"Note: Historical prices are adjusted for stock splits."


date,open,high,low,close,volume
2024-01-02,1.5,2,1,1.75,100
2024-01-03,1.75,2.5,1.5,2,200
`,
    bars,
    basis: 'split',
  },
  'Google Sheets': {
    file: 'AAA - Sheet1.csv',
    content: `Date,Open,High,Low,Close,Volume
1/29/2024 16:00:00,1.5,2,1,1.75,100
1/30/2024 16:00:00,1.75,2.5,1.5,2,200
`,
    bars: bars.map((bar) => bar.replace('01-02', '01-29').replace('01-03', '01-30')),
  },
  'Lines below the rows': {
    file: 'AAA.csv',
    content: `Date,Open,High,Low,Close,Volume
2024-01-02,1.5,2,1,1.75,100
2024-01-03,1.75,2.5,1.5,2,200
,,,,,
"The data is provided to you as it is."
`,
    bars,
  },
  "Stooq's page in Polish": {
    file: 'AAA.csv',
    content: `Data,Otwarcie,Najwyzszy,Najnizszy,Zamkniecie,Wolumen
2024-01-02,1.5,2,1,1.75,100
2024-01-03,1.75,2.5,1.5,2,200
`,
    bars,
  },
  'Nasdaq.com': {
    file: 'AAA.csv',
    content: `Date,Close/Last,Volume,Open,High,Low
01/30/2024,$2,200,$1.75,$2.5,$1.5
01/29/2024,$1.75,100,$1.5,$2,$1
`,
    bars: bars.map((bar) => bar.replace('01-02', '01-29').replace('01-03', '01-30')),
    basis: 'split',
  },
  'Columns set apart by blanks': {
    file: 'AAA.txt',
    content: `             Open  High  Low  Close  Volume
Date
Jan 2, 2024   1.5     2    1   1.75     100
Jan 3, 2024  1.75   2.5  1.5      2     200
`,
    bars,
  },
  StockCharts: {
    file: 'AAA.txt',
    content: `AAA Inc.

      Day        Date        Open       High        Low      Close        Volume
--------------------------------------------------------------------------------
      Wed  01-31-2024        1.75        2.5        1.5          2           200
      Tue  01-30-2024         1.5          2          1       1.75           100
`,
    bars: ['AAA 2024-01-30 1.5 2 1 1.75 100', 'AAA 2024-01-31 1.75 2.5 1.5 2 200'],
    basis: 'all',
  },
  MarketWatch: {
    file: 'Download Data - STOCK_US_XNAS_AAA.csv',
    content: `Date,Open,High,Low,Close,Volume
01/30/2024,"1.75","2.50","1.50","2.00","1,200"
01/29/2024,"1.50","2.00","1.00","1.75","100"
`,
    bars: ['AAA 2024-01-29 1.5 2 1 1.75 100', 'AAA 2024-01-30 1.75 2.5 1.5 2 1200'],
  },
  'Yahoo, a copied page': {
    file: 'AAA.csv',
    content: `Date,Open,High,Low,Close Close price adjusted for splits.,Adj Close Adjusted close price adjusted for splits and dividend and/or capital gain distributions.,Volume
"Jan 3, 2024",1.75,2.50,1.50,2.00,1.90,200
"Jan 2, 2024",1.50,2.00,1.00,1.75,1.70,100
`,
    bars,
    basis: 'split',
  },
  'TradingView, a chart': {
    file: 'NYSE_BRK.B, 1D_4f2e1.csv',
    content: `time,open,high,low,close,Volume,Volume MA
1704205800,1.5,2,1,1.75,100,
1704292200,1.75,2.5,1.5,2,200,150
`,
    bars: bars.map((bar) => bar.replace('AAA', 'BRK.B')),
  },
  'TradingView, minutes with an offset': {
    file: 'BATS_AAA, 1 (2).csv',
    content: `time,open,high,low,close,MA,Volume
2024-01-02T09:30:00-05:00,1.5,2,1,1.75,,100
2024-01-02T09:31:00-05:00,1.75,2.5,1.5,2,1.8,200
`,
    bars: minutes,
  },
  'Barchart, days': {
    file: 'AAA.csv',
    content: `Time,Open,High,Low,Latest,Change,%Change,Volume
01/30/2024,1.75,2.5,1.5,2,0.25,+1.00%,200
01/29/2024,1.5,2,1,1.75,0.25,+1.00%,100
"Downloaded from Barchart.com as of 01-30-2024 07:29pm CST"
`,
    bars: bars.map((bar) => bar.replace('01-02', '01-29').replace('01-03', '01-30')),
  },
  'Barchart, minutes': {
    file: 'AAA.csv',
    content: `Time,Open,High,Low,Latest,Change,%Change,Volume
"2024-01-02 08:31",1.75,2.5,1.5,2,0.25,+1.00%,200
"2024-01-02 08:30",1.5,2,1,1.75,0.25,+1.00%,100
"Downloaded from Barchart.com as of 01-30-2024 07:29pm CST"
`,
    bars: minutes,
  },
  Robinhood: {
    file: 'AAA.csv',
    content: `begins_at,open_price,close_price,high_price,low_price,volume,session,interpolated,symbol
2024-01-02T14:30:00Z,1.5,1.75,2,1,100,reg,False,AAA
2024-01-02T14:31:00Z,1.75,2,2.5,1.5,200,reg,False,AAA
2024-01-02T14:32:00Z,2,2,2,2,0,reg,True,AAA
`,
    bars: minutes,
  },
  'Dates in words': {
    file: 'AAA.csv',
    content: `Date,Open,High,Low,Close,Volume
"Jan 3, 2024",1.75,2.5,1.5,2,200
"Tuesday, January 2, 2024",1.5,2,1,1.75,100
`,
    bars,
  },
  'Days before months in letters': {
    file: 'AAA.csv',
    content: `Date,Open,High,Low,Close,Volume
02JAN2024,1.5,2,1,1.75,100
3. January 2024,1.75,2.5,1.5,2,200
`,
    bars,
  },
  'Months in other languages': {
    file: 'AAA.csv',
    content: `Date,Open,High,Low,Close,Volume
31 janv. 2024,1.5,2,1,1.75,100
1 févr. 2024,1.75,2.5,1.5,2,200
2 de febrero de 2024,2,2.5,1.5,2.25,300
4. März 2024,2.25,2.5,2,2.5,400
2024年3月5日,2.5,2.75,2,2.25,500
`,
    bars: [
      'AAA 2024-01-31 1.5 2 1 1.75 100',
      'AAA 2024-02-01 1.75 2.5 1.5 2 200',
      'AAA 2024-02-02 2 2.5 1.5 2.25 300',
      'AAA 2024-03-04 2.25 2.5 2 2.5 400',
      'AAA 2024-03-05 2.5 2.75 2 2.25 500',
    ],
  },
  'Times with AM and PM': {
    file: 'AAA.csv',
    content: `Date,Time,Open,High,Low,Close,Volume
1/30/2024,9:30:00 AM,1.5,2,1,1.75,100
1/30/2024,9:31:00 AM,1.75,2.5,1.5,2,200
1/30/2024,1:00:00 PM,1.75,2.5,1.5,2,200
`,
    bars: [
      'AAA 2024-01-30T14:30:00Z 1.5 2 1 1.75 100',
      'AAA 2024-01-30T14:31:00Z 1.75 2.5 1.5 2 200',
      'AAA 2024-01-30T18:00:00Z 1.75 2.5 1.5 2 200',
    ],
  },
  "Excel's serial numbers": {
    file: 'AAA.csv',
    content: `Date,Open,High,Low,Close,Volume
45293,1.5,2,1,1.75,100
45294,1.75,2.5,1.5,2,200
`,
    bars,
  },
  'Cells guarded as texts': {
    file: 'prices.csv',
    content: `="Symbol","Date",Open,High,Low,Close,Volume
="AAA",'2024-01-02,1.5,2,1,1.75,100
="AAA",'2024-01-03,1.75,2.5,1.5,2,200
`,
    bars,
  },
  'Day numbers': {
    file: 'AAA.csv',
    content: `Date,Open,High,Low,Close,Volume
19724,1.5,2,1,1.75,100
19725,1.75,2.5,1.5,2,200
`,
    bars,
  },
  'Days of a year': {
    file: 'AAA.csv',
    content: `Date,Open,High,Low,Close,Volume
2024-002,1.5,2,1,1.75,100
2024-003,1.75,2.5,1.5,2,200
`,
    bars,
  },
  'Years behind day and month': {
    file: 'AAA.csv',
    content: `Date,Open,High,Low,Close,Volume
16012024,1.5,2,1,1.75,100
17012024,1.75,2.5,1.5,2,200
`,
    bars: bars.map((bar) => bar.replace('01-02', '01-16').replace('01-03', '01-17')),
  },
};
