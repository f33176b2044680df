/** Screens to begin with. */

export interface Example {
  title: string;
  where: string;
  /** Expressions to show beside the usual columns. */
  columns?: string;
}

export const EXAMPLES: readonly Example[] = [
  {
    title: 'Oversold in an upward trend',
    where: 'rsi(14) < 40 and close > sma(200)',
    columns: 'sma(200)',
  },
  { title: 'Golden cross this month', where: 'sma(50) crosses above sma(200) within 21' },
  {
    title: 'Near the high of a year',
    where: 'close >= 0.97 * highest(high, 252)',
    columns: 'highest(high, 252)',
  },
  {
    title: 'Breakout on volume',
    where: 'close > highest(close, 50)[1] and volume > 1.5 * avg(volume, 20)',
    columns: 'volume / avg(volume, 20)',
  },
  {
    title: 'Cheap and growing',
    where: 'pe_ratio < 20 and revenue_growth > 0.05 and net_margin > 0.1',
    columns: 'revenue_growth,net_margin',
  },
  { title: 'Momentum that holds', where: 'macd(12, 26, 9).histogram > 0 for 3 and adx(14) > 25' },
  {
    title: 'Reports this week',
    where: 'days_to_earnings between 0 and 7',
    columns: 'days_to_earnings',
  },
  { title: 'A dip in a strong week', where: 'weekly(rsi(14)) > 50 and rsi(14) < 45' },
];
