import { describe, expect, it } from 'vitest';
import { ParameterError } from '../../../src/base/errors.ts';
import { symbolOrFault } from '../../../src/base/symbols.ts';
import {
  basisWordOfFileName,
  isNameOfPiece,
  namesInSeveralFolders,
  periodFromFileName,
  symbolFromFileName,
} from '../../../src/ingest/names/file-name.ts';

describe('symbolFromFileName', () => {
  it.each([
    ['AAPL_D.csv', 'AAPL', '1d'],
    ['AAPL_W.csv', 'AAPL', '1w'],
    ['AAPL_M.csv', 'AAPL', '1mo'],
    ['AAPL_H.csv', 'AAPL', '1h'],
    ['AAPL-D.csv', 'AAPL', '1d'],
    ['AAPL-W.csv', 'AAPL', '1w'],
    ['AAPL.D.csv', 'AAPL', '1d'],
    ['aapl_d.csv', 'AAPL', '1d'],
    ['AAPL_1D.csv', 'AAPL', '1d'],
    ['AAPL-1d.csv', 'AAPL', '1d'],
    ['AAPL_daily.csv', 'AAPL', '1d'],
    ['AAPL_Daily.csv', 'AAPL', '1d'],
    ['AAPLDaily.csv', undefined, undefined],
    ['googl_us_d.csv', 'GOOGL', '1d'],
    ['brk-b_us_w.csv', 'BRK.B', '1w'],
    ['AAPL_1min.csv', 'AAPL', '1m'],
    ['AAPL_5m.csv', 'AAPL', '5m'],
    ['AAPL_M15_202401020930_202401311600.csv', 'AAPL', '15m'],
    ['AAPL.US_H4_2024.csv', 'AAPL', undefined],
    ['AAPL.scid_BarData.txt', 'AAPL', undefined],
    ['AAPL - Tabellenblatt1.csv', 'AAPL', undefined],
    ['AAPL_1M.csv', 'AAPL', '1mo'],
    ['AAPL_5y.csv', 'AAPL', undefined],
    ['AAPL_max_1d.csv', 'AAPL', '1d'],
    ['AAPL_1d_1m.csv', 'AAPL', undefined],
    ['AAPL (1).csv', 'AAPL', undefined],
    ['AAPL(2).csv', 'AAPL', undefined],
    ['AAPL - Copy.csv', 'AAPL', undefined],
    ['Copy of AAPL.csv', 'AAPL', undefined],
    ['AAPL~1.csv', 'AAPL', undefined],
    ['AAPL_final_v2.csv', 'AAPL', undefined],
    ['AAPL_backup.csv', 'AAPL', undefined],
    ['div.csv', 'DIV', undefined],
    ['EOD-AAPL.csv', 'AAPL', '1d'],
    ['EOD-A.csv', 'A', '1d'],
    ['HistoricalData_AAPL.csv', 'AAPL', undefined],
    ['AAPL Historical Data.csv', 'AAPL', undefined],
    ['BRKb Historical Data.csv', 'BRK.B', undefined],
    ['AAPL Historische Daten.csv', 'AAPL', undefined],
    ['BRKb - Données Historiques (1).csv', 'BRK.B', undefined],
    ['AAPL - Donne\u0301es Historiques.csv', 'AAPL', undefined],
    ['Datos históricos AAPL.csv', 'AAPL', undefined],
    ['Dados Históricos - AAPL.csv', 'AAPL', undefined],
    ['Dane historyczne dla AAPL.csv', 'AAPL', undefined],
    ['Прошлые данные - AAPL.csv', 'AAPL', undefined],
    ['AAPL 過去データ.csv', 'AAPL', undefined],
    ['AAPL历史数据.csv', 'AAPL', undefined],
    ['weekly_adjusted_IBM.csv', 'IBM', '1w'],
    ['TIME_SERIES_DAILY_IBM.csv', undefined, undefined],
    ['yf-AAPL.csv', 'AAPL', undefined],
    ['daily_adjusted_IBM.csv', 'IBM', '1d'],
    ['AAPL-yahoo-monthly.csv', 'AAPL', '1mo'],
    ['NASDAQ_AAPL, 1D.csv', 'AAPL', '1d'],
    // Words of data were cut off first: these were NASDAQ and NYSE.
    ['NYSE_ALL, 1D.csv', 'ALL', '1d'],
    ['NYSE_D, 5.csv', 'D', '5m'],
    ['NYSE_Q.csv', 'Q', undefined],
    ['BATS_AAPL, 5 (1).csv', 'AAPL', '5m'],
    ['BATS_AAPL, 60.csv', 'AAPL', '1h'],
    ['VXX.USUSD_Candlestick_1_s.csv', 'VXX', '1s'],
    ['AAPL.USUSD_Candlestick_1_D_BID_01.01.2017-01.01.2018.csv', 'AAPL', '1d'],
    ['aapl_daily_historical-data-11-28-2026.csv', 'AAPL', '1d'],
    ['table_aapl.csv', 'AAPL', undefined],
    ['20240102_aapl_minute_trade.csv', 'AAPL', '1m'],
    ['AAPL_full_1min.txt', 'AAPL', '1m'],
    ['AAPL_2020-01-01_2024-01-01.csv', 'AAPL', undefined],
    ['AAPL_2024_Q1.parquet', 'AAPL', undefined],
    ['BRK-B_daily.csv', 'BRK.B', '1d'],
    ['BAC-PL_1d.csv', 'BAC.PRL', '1d'],
    ['AIG-WS.csv', 'AIG.WS', undefined],
    ['OUT-WS.csv', 'OUT.WS', undefined],
    ['ABCR.O.csv', 'ABCR', undefined],
    ['ABCS.OQ.csv', 'ABCS', undefined],
    ['AAPL.json', 'AAPL', undefined],
    ['AAPL.json.gz', 'AAPL', undefined],
    ['AAPL.ndjson', 'AAPL', undefined],
    ['AAPL.pq', 'AAPL', undefined],
    ['AAPL.parq', 'AAPL', undefined],
    ['abr_a.us.txt', 'ABR.PRA', undefined],
    ['all_d.us.txt', 'ALL.PRD', undefined],
    ['wfc_y.us.txt', 'WFC.PRY', undefined],
    ['abr_a.csv', 'ABR.PRA', undefined],
    ['D.csv', 'D', undefined],
    ['w.csv', 'W', undefined],
    ['T.csv', 'T', undefined],
    ['ALL.csv', 'ALL', undefined],
    ['all.csv', 'ALL', undefined],
    ['CAT.csv', 'CAT', undefined],
    ['low.csv', 'LOW', undefined],
    ['OPEN.csv', 'OPEN', undefined],
    ['DATA.csv', 'DATA', undefined],
    ['DAY.csv', 'DAY', undefined],
    ['DAY_D.csv', 'DAY', '1d'],
    ['EOD.csv', 'EOD', undefined],
    ['T0001.csv', 'T0001', undefined],
    ['A0001.csv', 'A0001', undefined],
    ['AAA/2024.csv', 'AAA', undefined],
    ['BRK.B/2024.csv', 'BRK.B', undefined],
    ['AAA/daily.csv', 'AAA', '1d'],
    ['AAA/1d.csv', 'AAA', '1d'],
    ['AAA/ohlcv.csv', 'AAA', undefined],
    ['AAA/data.csv', 'AAA', undefined],
    ['AAA/00000000.csv', 'AAA', undefined],
    ['AAA/part-0.parquet', 'AAA', undefined],
    ['AAA/part-00000-2f9e1c3a-77aa-4b1e-9d7f-0123456789ab-c000.snappy.parquet', 'AAA', undefined],
    ['stocks/AAA/daily/2024-01.csv', 'AAA', undefined],
    ['AAA/2024/jan.csv', 'AAA', undefined],
    ['mar.csv', 'MAR', undefined],
    ['NYSE/D.csv', 'D', undefined],
    ['D/D.csv', 'D', undefined],
    ['data/AAPL.csv', 'AAPL', undefined],
    ['symbol=AAA/part-0.parquet', 'AAA', undefined],
    ['symbol=AAA/year=2024/month=1/data_0.parquet', 'AAA', undefined],
    ['year=2024/ticker=BRK%2FB/x.csv', 'BRK.B', undefined],
    ['symbol=DATA/data.csv', 'DATA', undefined],
    ['ticker_symbol=AAA/part.0.csv', 'AAA', undefined],
    ['asset=AAA/2024.csv', 'AAA', undefined],
    ['tic=AAA/2024.csv', 'AAA', undefined],
    ['interval=1m/symbol=AAA/0.parquet', 'AAA', '1m'],
    ['symbol=AAPL.parquet', 'AAPL', undefined],
  ])('reads %s as %s, bars of %s', (name, symbol, period) => {
    const found = symbolOrFault(() => symbolFromFileName(name));
    expect('symbol' in found ? found.symbol : undefined).toBe(symbol);
    expect(periodFromFileName(name)).toBe(period);
  });

  it.each([
    '2024.csv',
    'daily.csv',
    '1d.csv',
    'ohlc.csv',
    'OHLCV.csv',
    'data.csv',
    '00000000.parquet',
    'prices.csv',
    'PRICES.csv',
    'history.csv',
    'stocks.csv',
    'part-0.parquet',
    'default.csv',
    'daily/2024.csv',
    'data/prices.csv',
    'mydir/2024.csv',
    'symbol=__HIVE_DEFAULT_PARTITION__/0.csv',
    'tesla-stock-price.csv',
    'Apple_Daily.csv',
    'sp500-2000.csv',
    'CALM-1d-no-bad-divs.csv',
    'SPY_D.pandas-ta.csv',
    'AAPL.201512.csv',
    'BRK_B.csv',
    'no ticker.csv',
    'my bars.csv',
    'my_data.csv',
    'AAPL/D.csv',
    'BTC-USD.csv',
    'RCI-B.TO.csv',
    'VOD.L_daily.csv',
  ])('refuses %s', (name) => {
    expect(() => symbolFromFileName(name)).toThrow(ParameterError);
  });

  it('takes Stooq at its word', () => {
    expect(symbolFromFileName('all_d.txt', 'stooq')).toBe('ALL.PRD');
    expect(symbolFromFileName('data.us.txt', 'stooq')).toBe('DATA');
  });
});

it.each([
  ['aapl_adj.csv', 'AAPL', 'adjusted'],
  ['AAPL_raw.csv', 'AAPL', 'raw'],
  ['AAPL_full_1min_UNADJUSTED.txt', 'AAPL', 'raw'],
  ['AAPL_full_1min_adjsplit.txt', 'AAPL', 'split'],
  ['AAPL_full_1day_adjsplitdiv.txt', 'AAPL', 'all'],
  ['Download Data - STOCK_US_XNAS_AAPL.csv', 'AAPL', undefined],
  ['#AAPL_M1_202403130930_202403151559.csv', 'AAPL', undefined],
  ['AAPL.NAS_M1_202403130930_202403151559.csv', 'AAPL', undefined],
  ['AAPL/adj.csv', 'AAPL', 'adjusted'],
  ['yf-adj-AAPL.csv', 'AAPL', 'adjusted'],
  ['AAPL.csv', 'AAPL', undefined],
])('%s is %s, and says %s of its prices', (name, symbol, word) => {
  expect([symbolFromFileName(name), basisWordOfFileName(name)]).toEqual([symbol, word]);
});

it('knows the names of pieces', () => {
  const names = ['AAA/2024.csv', 'part-0.parquet', '2024-01.csv', 'AAPL_2024.csv', 'prices.csv'];
  expect(names.map(isNameOfPiece)).toEqual([true, true, true, false, false]);
});

it('finds names that stand in the folders of several tickers', () => {
  const names = ['KQRT/JAN.csv', 'WXYZ/JAN.csv', 'KQRT/2024.csv', 'WXYZ/2024.csv', 'ABC/ABC.csv'];
  expect([...namesInSeveralFolders(names)]).toEqual([
    ['KQRT/JAN.csv', 'JAN'],
    ['WXYZ/JAN.csv', 'JAN'],
  ]);
});
