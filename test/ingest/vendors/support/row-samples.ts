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

export const FINNHUB_EARNINGS = text({
  earningsCalendar: [
    {
      date: '2026-11-23',
      epsActual: null,
      epsEstimate: 1.42,
      hour: 'amc',
      quarter: 1,
      revenueActual: null,
      revenueEstimate: 88496400810,
      symbol: 'AAPL',
      year: 2027,
    },
    {
      date: '2026-11-24',
      epsActual: null,
      epsEstimate: null,
      hour: '',
      quarter: 3,
      revenueActual: null,
      revenueEstimate: null,
      symbol: 'MSFT',
      year: 2026,
    },
  ],
});

export const FINNHUB_RECOMMENDATIONS = text([
  { buy: 24, hold: 7, period: '2026-11-01', sell: 0, strongBuy: 13, strongSell: 0, symbol: 'AAPL' },
  {
    buy: 17,
    hold: 13,
    period: '2026-10-01',
    sell: 5,
    strongBuy: 13,
    strongSell: 0,
    symbol: 'AAPL',
  },
]);

export const FINNHUB_TARGETS = text({
  lastUpdated: '2026-11-19 00:00:00',
  symbol: 'AAPL',
  targetHigh: 500,
  targetLow: 166,
  targetMean: 387.66,
  targetMedian: 387.5,
});

export const FINNHUB_GRADES = text([
  {
    symbol: 'AAPL',
    gradeTime: 1567728000,
    fromGrade: '',
    toGrade: 'Market Perform',
    company: 'Evercore ISI',
    action: 'main',
  },
]);

export const FMP_EARNINGS = text([
  {
    symbol: 'AAPL',
    date: '2026-11-23',
    epsActual: null,
    epsEstimated: 1.42,
    revenueActual: null,
    revenueEstimated: 88496400810,
    lastUpdated: '2026-11-19',
  },
]);

export const FMP_COUNTS = text([
  { symbol: 'AAPL', strongBuy: 1, buy: 29, hold: 11, sell: 4, strongSell: 0, consensus: 'Buy' },
]);

export const FMP_CONSENSUS_TARGETS = text([
  { symbol: 'AAPL', targetHigh: 300, targetLow: 200, targetConsensus: 251.7, targetMedian: 258 },
]);

export const FMP_GRADES = text([
  {
    symbol: 'AAPL',
    date: '2026-10-31',
    gradingCompany: 'Morgan Stanley',
    previousGrade: 'Overweight',
    newGrade: 'Overweight',
    action: 'maintain',
  },
]);

export const FMP_TARGETS = text([
  {
    symbol: 'AAPL',
    publishedDate: '2026-10-31T14:02:00.000Z',
    newsTitle: 'A target',
    analystName: 'Erik Woodring',
    priceTarget: 305,
    adjPriceTarget: 305,
    priceWhenPosted: 270,
    analystCompany: 'Morgan Stanley',
  },
]);
