/** Words of other programs that no name here is near to, and the same in this language. */

export const USUAL_WORDS: Readonly<Record<string, string>> = {
  ...{ ma: 'sma(50)', moving_average: 'sma(50)', mavg: 'sma(50)' },
  ...{ rvol: 'volume / avg(volume, 20)', relative_volume: 'volume / avg(volume, 20)' },
  ...{ gap: '(open / close[1] - 1) * 100', adr: 'avg(high - low, 20)' },
  ...{ crossover: 'close crosses above sma(50)', crossunder: 'close crosses below sma(50)' },
  ...{ barssince: 'bars_since(close > open)', iff: 'if(close > open, 1, 0)' },
  ...{ '52w_high': 'highest(high, 252)', '52w_low': 'lowest(low, 252)' },
  ...{ high_52w: 'highest(high, 252)', low_52w: 'lowest(low, 252)' },
  ...{ high52: 'highest(high, 252)', low52: 'lowest(low, 252)' },
  ...{ week_52_high: 'highest(high, 252)', week_52_low: 'lowest(low, 252)' },
  ...{ ytd: 'year_to_date', perf_ytd: 'year_to_date', dow: 'weekday' },
  ...{ spy: "symbol('SPY').close", dollar_volume: 'close * volume' },
};
