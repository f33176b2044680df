/** Answers with rows of datasets, as documentation and other clients of the vendors show them. */

const text = (value: unknown) => JSON.stringify(value);

export const NASDAQ_EARNINGS = text({
  data: {
    asOf: 'Thu, Nov 19, 2026',
    headers: { lastYearRptDt: "Last Year's Report Date", symbol: 'Symbol' },
    rows: [
      {
        lastYearRptDt: '11/20/2025',
        lastYearEPS: '$1.30',
        time: 'time-after-hours',
        symbol: 'INTU',
        name: 'Intuit Inc.',
        marketCap: '$180,000,000,000',
        fiscalQuarterEnding: 'Oct/2026',
        epsForecast: '$1.42',
        noOfEsts: '12',
      },
      {
        time: 'time-pre-market',
        symbol: 'BRK/B',
        name: 'Berkshire',
        fiscalQuarterEnding: 'Sep/2026',
        epsForecast: '($0.12)',
        noOfEsts: '1',
      },
      {
        time: 'time-not-supplied',
        symbol: 'TINY',
        name: '',
        fiscalQuarterEnding: '',
        epsForecast: '',
      },
    ],
  },
  message: null,
  status: { rCode: 200, bCodeMessage: null, developerMessage: null },
});

export const NASDAQ_NO_REPORTS = text({
  data: { asOf: 'Fri, Nov 27, 2026', headers: null, rows: null },
  message: 'No record found.',
  status: { rCode: 200, bCodeMessage: null },
});

export const CBOE_OPTIONS = text({
  timestamp: '2026-11-20 22:00:01',
  symbol: 'AAPL',
  data: {
    symbol: 'AAPL',
    current_price: 274.2,
    options: [
      { option: 'AAPL261218P00110000', bid: 0, ask: 0.01 },
      { option: 'AAPL261127C00110000', bid: 164.1, ask: 164.4 },
      { option: 'AAPL261127P00110000', bid: 0, ask: 0.01 },
      { option: 'AAPL261113C00110000', bid: 0, ask: 0 },
    ],
  },
});
