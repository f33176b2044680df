/** Small symbol directories in the form of the real ones. */

export const NASDAQ_HEADER =
  'Symbol|Security Name|Market Category|Test Issue|Financial Status|Round Lot Size|ETF|NextShares';
export const OTHER_HEADER =
  'ACT Symbol|Security Name|Exchange|CQS Symbol|ETF|Round Lot Size|Test Issue|NASDAQ Symbol';
export const FOOTER = 'File Creation Time: 0701202614:30';

/** Lines as the files end them. */
export function fileText(...lines: string[]): string {
  return `${lines.join('\r\n')}\r\n`;
}

export const NASDAQ_TEXT = fileText(
  NASDAQ_HEADER,
  'AAPL|Apple Inc. - Common Stock|Q|N|N|100|N|N',
  'QQQ|Invesco QQQ Trust, Series 1|G|N|N|100|Y|N',
  'ZVZZT|NASDAQ TEST STOCK|G|Y|N|100||N',
  `${FOOTER}|||||||`,
);
export const OTHER_TEXT = fileText(
  OTHER_HEADER,
  'ABR$A|Arbor Realty Trust Preferred Series A|N|ABRpA|N|100|N|ABR-A',
  'BRK.B|Berkshire Hathaway Inc. New Common Stock|N|BRK.B|N|100|N|BRK.B',
  'CBOE|Cboe Global Markets, Inc. Common Stock|Z|CBOE|N|100|N|CBOE',
  'IBKR|Interactive Brokers Group, Inc. Common Stock|V|IBKR|N|100|N|IBKR',
  'IMO|Imperial Oil Limited Common Stock|A|IMO|N|100|N|IMO',
  'NAN|Nuveen New York Quality Municipal Income Fund Common Stock|N|NAN|N|100|N|NAN',
  'SPY|SPDR S&P 500|P|SPY|Y|100|N|SPY',
  `${FOOTER}||||||`,
);
/** Columns in another order than the SEC's. */
export const SEC_TEXT = JSON.stringify({
  fields: ['exchange', 'ticker', 'cik', 'name'],
  data: [
    ['Nasdaq', 'AAPL', 320193, 'Apple Inc.'],
    ['NYSE', 'BRK-B', 1067983, 'BERKSHIRE HATHAWAY INC'],
    ['CBOE', 'CBOE', 1374310, 'Cboe Global Markets, Inc.'],
    ['Nasdaq', 'IBKR', 1381197, 'Interactive Brokers Group, Inc.'],
    ['OTC', 'RTNTF', 887028, 'RIO TINTO LTD'],
    [null, 'PMVC', 1807765, 'PMV Consumer Acquisition Corp.'],
    ['NYSE', 'USB-PA', 36104, 'US BANCORP \\DE\\'],
  ],
});
