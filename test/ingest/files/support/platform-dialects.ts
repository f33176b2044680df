import { zipOf } from '../../support/zip-file.ts';
import type { Dialect } from './dialect.ts';

const bars = ['AAA 2024-01-02 1.5 2 1 1.75 100', 'AAA 2024-01-03 1.75 2.5 1.5 2 200'];
const minutes = [
  'AAA 2024-01-02T14:30:00Z 1.5 2 1 1.75 100',
  'AAA 2024-01-02T14:31:00Z 1.75 2.5 1.5 2 200',
];

/** Exports of trading platforms and engines. */
export const PLATFORM_DIALECTS: Record<string, Dialect> = {
  'Databento, whole prices': {
    file: 'xnas.csv',
    content: `ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol
1704205800000000000,33,2,38,1500000000,2000000000,1000000000,1750000000,100,AAA
1704205860000000000,33,2,38,1750000000,2500000000,1500000000,2000000000,200,AAA
`,
    bars: minutes,
  },
  'Databento, decimal prices': {
    file: 'xnas.csv',
    content: `ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol
2024-01-02T00:00:00.000000000Z,35,2,38,1.500000000,2.000000000,1.000000000,1.750000000,100,AAA
`,
    bars: bars.slice(0, 1),
  },
  'Databento, JSON lines': {
    file: 'xnas.json',
    content: [
      '1500000000,2000000000,1000000000,1750000000,100',
      '1750000000,2500000000,1500000000,2000000000,200',
    ]
      .map((row, minute) => {
        const [open, high, low, close, volume] = row.split(',');
        const hd = { ts_event: `${1704205800 + minute * 60}000000000`, rtype: 33, publisher_id: 2 };
        return `${JSON.stringify({ hd, open, high, low, close, volume, symbol: 'AAA' })}\n`;
      })
      .join(''),
    bars: minutes,
  },
  'Interactive Brokers': {
    file: 'AAA.csv',
    content: `date,open,high,low,close,volume,barCount,average
20240102  09:30:00,1.5,2,1,1.75,100,7,1.6
20240102  09:31:00,1.75,2.5,1.5,2,200,9,1.9
`,
    bars: minutes,
  },
  'Interactive Brokers, with the zone': {
    file: 'AAA.csv',
    content: `,date,open,high,low,close,volume,average,barCount
0,20240102 08:30:00 US/Central,1.5,2,1,1.75,100,1.6,7
1,20240102 08:31:00 US/Central,1.75,2.5,1.5,2,200,1.9,9
`,
    bars: minutes,
  },
  'MetaTrader 5': {
    file: 'AAA.csv',
    content: `<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>
2024.01.02\t09:30:00\t1.5\t2\t1\t1.75\t7\t100\t1
2024.01.02\t09:31:00\t1.75\t2.5\t1.5\t2\t9\t200\t1
`,
    bars: minutes,
  },
  'MetaTrader 4': {
    file: 'AAA.csv',
    content: `2024.01.02,09:30,1.5,2,1,1.75,100
2024.01.02,09:31,1.75,2.5,1.5,2,200
`,
    bars: minutes,
  },
  Finam: {
    file: 'prices.csv',
    content: `<TICKER>;<PER>;<DATE>;<TIME>;<OPEN>;<HIGH>;<LOW>;<CLOSE>;<VOL>
US1.AAA;1;20240102;173000;1.5;2;1;1.75;100
US1.AAA;1;20240102;173100;1.75;2.5;1.5;2;200
`,
    bars: minutes,
  },
  'Finam, dates of six digits': {
    file: 'AAA.txt',
    content: `<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>
020124,173000,1.5,2,1,1.75,100
020124,173100,1.75,2.5,1.5,2,200
030124,173000,1.75,2.5,1.5,2,300
`,
    bars: [...minutes, 'AAA 2024-01-03T14:30:00Z 1.75 2.5 1.5 2 300'],
  },
  'Finam, no header': {
    file: 'prices.txt',
    content: `AAA;D;20240102;000000;1.5;2;1;1.75;100
AAA;D;20240103;000000;1.75;2.5;1.5;2;200
`,
    bars,
  },
  'Dukascopy, Gmt time': {
    file: 'AAA.csv',
    content: `Gmt time,Open,High,Low,Close,Volume
02.01.2024 14:30:00.000,1.5,2,1,1.75,100
02.01.2024 14:31:00.000,1.75,2.5,1.5,2,200
`,
    bars: minutes,
  },
  'Dukascopy, Local time': {
    file: 'AAA.csv',
    content: `Local time,Open,High,Low,Close,Volume
02.01.2024 06:30:00.000 GMT-0800,1.5,2,1,1.75,100
02.01.2024 06:31:00.000 GMT-0800,1.75,2.5,1.5,2,200
`,
    bars: minutes,
  },
  'LEAN, days': {
    file: 'aaa.zip',
    content:
      '20240102 00:00,15000,20000,10000,17500,100\n20240103 00:00,17500,25000,15000,20000,200\n',
    pack: (content, rename) => zipOf([{ name: rename('aaa.csv'), content }]),
    bars,
  },
  'LEAN, minutes': {
    file: 'equity/usa/minute/aaa/20240102_trade.zip',
    content: '34200000,15000,20000,10000,17500,100\n34260000,17500,25000,15000,20000,200\n',
    pack: (content, rename) => zipOf([{ name: rename('20240102_aaa_minute_trade.csv'), content }]),
    bars: minutes,
  },
  'zipline, csvdir': {
    file: 'AAA.csv',
    content: `date,open,high,low,close,volume,dividend,split
2024-01-02,1.5,2,1,1.75,100,0.0,1.0
2024-01-03,1.75,2.5,1.5,2,200,0.0,1.0
`,
    bars,
  },
  MetaStock: {
    file: 'prices.txt',
    content: `<TICKER>,<PER>,<DTYYYYMMDD>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>
AAA,D,20240102,000000,1.5,2,1,1.75,100
AAA,D,20240103,000000,1.75,2.5,1.5,2,200
`,
    bars,
  },
  FirstRate: {
    file: 'AAA_full_1min_adjsplit.txt',
    content: '2024-01-02 09:30:00,1.5,2,1,1.75,100\n2024-01-02 09:31:00,1.75,2.5,1.5,2,200\n',
    bars: minutes,
    basis: 'split',
  },
  QuantQuote: {
    file: 'table_aaa.csv',
    content: '20240102,0,1.5,2,1,1.75,100.25\n20240103,0,1.75,2.5,1.5,2,200\n',
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100.25', 'AAA 2024-01-03 1.75 2.5 1.5 2 200'],
    basis: 'all',
  },
  Bloomberg: {
    file: 'AAA.csv',
    content: `Date,PX_OPEN,PX_HIGH,PX_LOW,PX_LAST,PX_VOLUME
1/29/2024,1.5,2,1,1.75,100
1/30/2024,1.75,2.5,1.5,2,200
`,
    bars: bars.map((bar) => bar.replace('01-02', '01-29').replace('01-03', '01-30')),
  },
  'Bloomberg, a sheet with its settings': {
    file: 'sheet.csv',
    content: `Security,AAA US Equity,,,,
Start Date,1/2/2024,,,,
Period,D,,,,
Currency,USD,,,,
,,,,,
Dates,PX_OPEN,PX_HIGH,PX_LOW,PX_LAST,PX_VOLUME
1/29/2024,1.5,2,1,1.75,100
1/30/2024,1.75,2.5,1.5,2,200
`,
    bars: bars.map((bar) => bar.replace('01-02', '01-29').replace('01-03', '01-30')),
  },
  'Bloomberg, several securities': {
    file: 'bdh.csv',
    content: `,AAA US Equity,,,,,BBB US Equity,,,,
Dates,PX_OPEN,PX_HIGH,PX_LOW,PX_LAST,PX_VOLUME,PX_OPEN,PX_HIGH,PX_LOW,PX_LAST,PX_VOLUME
2024-01-02,1.5,2,1,1.75,100,3,4,2,3.5,50
2024-01-03,1.75,2.5,1.5,2,200,3.5,4,3,3.5,60
`,
    bars: [...bars, 'BBB 2024-01-02 3 4 2 3.5 50', 'BBB 2024-01-03 3.5 4 3 3.5 60'],
  },
  FactSet: {
    file: 'AAA-US.csv',
    content: `Date,Price,CVol,Change,% Change,Open,High,Low
2024-01-02,1.75,100,0.1,1.1,1.5,2,1
2024-01-03,2,200,0.25,14.3,1.75,2.5,1.5
`,
    bars,
  },
  Quantower: {
    file: 'AAA.csv',
    content: `Time left;Time right;Open;High;Low;Close;Volume;Ticks
2024-01-02 09:30:00;2024-01-02 09:31:00;1.5;2;1;1.75;100;3
2024-01-02 09:31:00;2024-01-02 09:32:00;1.75;2.5;1.5;2;200;4
`,
    bars: minutes,
  },
  'Times of a named clock': {
    file: 'AAA.csv',
    content: `Time (CT),Open,High,Low,Close,Volume,TradeCount
2024-01-02 08:30,1.5,2,1,1.75,100,3
2024-01-02 08:31,1.75,2.5,1.5,2,200,4
`,
    bars: minutes,
  },
  'Stooq, minutes': {
    file: 'aaa.us.txt',
    content: `<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>
AAA.US,5,20240102,153000,1.5,2,1,1.75,100,0
AAA.US,5,20240102,153500,1.75,2.5,1.5,2,200,0
`,
    bars: minutes.map((bar) => bar.replace('14:31', '14:35')),
    basis: 'all',
  },
  InfluxDB: {
    file: 'query.csv',
    content: `#group,false,false,false,true,false,false,false,false,false
#datatype,string,long,dateTime:RFC3339,string,double,double,double,double,double
#default,_result,,,,,,,,
,result,table,_time,symbol,close,high,low,open,volume
,,0,2024-01-02T00:00:00Z,AAA,1.75,2,1,1.5,100
,,0,2024-01-03T00:00:00Z,AAA,2,2.5,1.5,1.75,200
`,
    bars,
  },
  AlgoSeek: {
    file: 'AAA.csv',
    content: `Date,Ticker,TimeBarStart,FirstTradePrice,HighTradePrice,LowTradePrice,LastTradePrice,VolumeWeightPrice,Volume,TotalTrades
20240102,AAA,09:30,1.5,2,1,1.75,1.6,100,3
20240102,AAA,09:31,1.75,2.5,1.5,2,1.9,200,4
`,
    bars: minutes,
  },
  ThetaData: {
    file: 'AAA.csv',
    content: `ms_of_day,open,high,low,close,volume,count,date
34200000,1.5,2,1,1.75,100,3,20240102
34260000,1.75,2.5,1.5,2,200,4,20240102
34320000,0,0,0,0,0,0,20240102
`,
    bars: minutes,
  },
  'ThetaData, days': {
    file: 'AAA.csv',
    content: `created,last_trade,open,high,low,close,volume,count,bid_size,bid,ask
2024-01-02T17:15:04.204,2024-01-02T15:59:59.841,1.5,2,1,1.75,100,3,1,1.7,1.8
2024-01-03T17:15:03.118,2024-01-03T16:00:00.002,1.75,2.5,1.5,2,200,4,1,1.9,2.1
2024-01-04T17:15:02.996,2024-01-04T00:00:00.000,0,0,0,0,0,0,1,1.9,2.1
`,
    bars,
  },
  'TAQ, root and suffix': {
    file: 'taq.csv',
    content: `DATE,SYM_ROOT,SYM_SUFFIX,OPEN,HIGH,LOW,CLOSE,VOLUME
20240102,AAA,,1.5,2,1,1.75,100
20240102,AAA,B,51,53,50,52,900
20240103,AAA,,1.75,2.5,1.5,2,200
`,
    bars: [bars[0], 'AAA.B 2024-01-02 51 53 50 52 900', bars[1]],
  },
  'Dates in several columns': {
    file: 'AAA.csv',
    content: `Year,Month,Day,Hour,Minute,Open,High,Low,Close,Volume
2024,1,2,9,30,1.5,2,1,1.75,100
2024,1,2,9,31,1.75,2.5,1.5,2,200
`,
    bars: minutes,
  },
  'q and kdb+': {
    file: 'daily.csv',
    content: `date,sym,open,high,low,close,size
2024.01.02,AAA,1.5,2,1,1.75,100
2024.01.03,AAA,1.75,2.5,1.5,2,200
`,
    bars,
  },
  'Eikon, several RICs': {
    file: 'series.csv',
    content: `Security,AAA.O,AAA.O,AAA.O,AAA.O,AAA.O,AAA.O
Field,HIGH,CLOSE,LOW,OPEN,COUNT,VOLUME
Date,,,,,,
2024-01-02,2,1.75,1,1.5,3,100
2024-01-03,2.5,2,1.5,1.75,4,200
`,
    bars,
  },
  AmiBroker: {
    file: 'export.csv',
    content: `Ticker,Date_YMD,Open,High,Low,Close,Volume
AAA,20240102,1.5,2,1,1.75,100
AAA,20240103,1.75,2.5,1.5,2,200
`,
    bars,
  },
  CRSP: {
    file: 'dsf_v2.csv',
    content: `PERMNO,Ticker,DlyCalDt,DlyPrc,DlyVol,DlyOpen,DlyHigh,DlyLow,DlyClose
14593,AAA,2024-01-02,1.75,100,1.5,2,1,1.75
14593,AAA,2024-01-03,2,200,1.75,2.5,1.5,2
`,
    bars,
  },
  'CRSP, until 2024': {
    file: 'crsp_dsf.csv',
    content: `PERMNO,date,TICKER,BIDLO,ASKHI,PRC,VOL,RET,OPENPRC
14593,2024-01-02,AAA,1,2,1.75,100,0.01,1.5
14593,2024-01-03,AAA,1.5,2.5,2,200,0.01,1.75
`,
    bars,
  },
  'CRSP, classes of shares': {
    file: 'crsp_msenames.csv',
    content: `PERMNO,date,SHRCLS,TSYMBOL,TICKER,BIDLO,ASKHI,PRC,VOL,OPENPRC
14593,2024-01-02,A,AAA,AAA,1,2,1.75,100,1.5
14594,2024-01-02,B,AAAB,AAA,50,53,52,900,51
14593,2024-01-03,A,AAA,AAA,1.5,2.5,2,200,1.75
`,
    bars: [...bars, 'AAA.B 2024-01-02 51 53 50 52 900'],
  },
  Compustat: {
    file: 'secd.csv',
    content: `gvkey,iid,datadate,tic,cusip,conm,ajexdi,cshtrd,prccd,prchd,prcld,prcod
001690,01,2024-01-02,AAA,037833100,AAA INC,1,100,1.75,2,1,1.5
001690,01,2024-01-03,AAA,037833100,AAA INC,1,200,2,2.5,1.5,1.75
`,
    bars,
  },
  Refinitiv: {
    file: 'prices.csv',
    content: `Instrument,Date,Price Open,Price High,Price Low,Price Close,Volume
AAA.O,2024-01-02T00:00:00Z,1.5,2,1,1.75,100
AAA.O,2024-01-03T00:00:00Z,1.75,2.5,1.5,2,200
`,
    bars,
  },
  LSEG: {
    file: 'AAA.csv',
    content: `Date,TRDPRC_1,HIGH_1,LOW_1,ACVOL_UNS,OPEN_PRC,BID,ASK,TRNOVR_UNS,VWAP,NUM_MOVES
2024-01-02,1.75,2,1,100,1.5,1.7,1.8,160,1.6,9
2024-01-03,2,2.5,1.5,200,1.75,1.9,2.1,390,1.95,12
`,
    bars,
  },
  'no header': {
    file: 'AAA.txt',
    content: `1/30/2024\t1.75\t2.5\t1.5\t2\t200
1/29/2024\t1.5\t2\t1\t1.75\t100
`,
    bars: bars.map((bar) => bar.replace('01-02', '01-29').replace('01-03', '01-30')),
  },
};
