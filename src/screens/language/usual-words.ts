/** Words of other programs that no name here is near to, and the same in this language. */

/**
 * Other names of indicators and functions. With numbers, as `ma(50)` and `ma50`, they mean the same;
 * alone they are answered, since programs differ in their defaults.
 */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{
    ma: 'sma',
    mavg: 'sma',
    movingaverage: 'sma',
    moving_average: 'sma',
    simplemovingavg: 'sma',
  },
  ...{ movavg: 'sma', mov: 'sma', expaverage: 'ema', movavgexponential: 'ema', wilders: 'rma' },
  ...{ average: 'avg', mean: 'avg', stdev: 'stddev', std: 'stddev', mom: 'momentum' },
  ...{ hull: 'hma', hullma: 'hma', lsma: 'linreg', linear_regression: 'linreg' },
  ...{ bb: 'bollinger', bbands: 'bollinger', boll: 'bollinger', bollinger_bands: 'bollinger' },
  ...{ kc: 'keltner', keltnerchannel: 'keltner', dc: 'donchian', hv: 'historical_volatility' },
  ...{ stoch: 'stochastic', stochrsi: 'stochastic_rsi', stoch_rsi: 'stochastic_rsi' },
  ...{ willr: 'williams_r', williams: 'williams_r', wpr: 'williams_r', ao: 'awesome' },
  ...{ sar: 'psar', parabolic_sar: 'psar', uo: 'ultimate', efi: 'force_index' },
  ...{ crsi: 'connors_rsi', stc: 'schaff', kvo: 'klinger', smi: 'stochastic_momentum' },
  ...{ ttm_squeeze: 'squeeze', ulcer_index: 'ulcer', chandelier_exit: 'chandelier' },
  ...{ fisher_transform: 'fisher', tr: 'true_range', truerange: 'true_range' },
  ...{ pivot: 'pivot_points', pivots: 'pivot_points', tema3: 'tema', percentb: 'percent_b' },
};

export const USUAL_WORDS: Readonly<Record<string, string>> = {
  ...{ ma: 'sma(50)', moving_average: 'sma(50)', mavg: 'sma(50)' },
  ...{ bb: 'bollinger(20, 2).upper', bbands: 'bollinger(20, 2).upper' },
  ...{ bollinger_band: 'bollinger(20, 2).upper', bollinger_bands: 'bollinger(20, 2).upper' },
  ...{ bb_upper: 'bollinger(20, 2).upper', bb_lower: 'bollinger(20, 2).lower' },
  ...{ bb_middle: 'bollinger(20, 2).middle', upper_band: 'bollinger(20, 2).upper' },
  ...{ bbu: 'bollinger(20, 2).upper', bbl: 'bollinger(20, 2).lower' },
  ...{ kc_upper: 'keltner(20).upper', kc_lower: 'keltner(20).lower' },
  ...{ donchian_high: 'donchian(20).upper', donchian_low: 'donchian(20).lower' },
  ...{ macd_hist: 'macd.histogram', macdhist: 'macd.histogram', macd_line: 'macd' },
  ...{
    stoch_k: 'stochastic(14, 3).k',
    stoch_d: 'stochastic(14, 3).d',
    stochk: 'stochastic(14, 1).k',
  },
  ...{ slow_k: 'stochastic(14, 3).k', slowk: 'stochastic(14, 3).k', fastk: 'stochastic(14, 1).k' },
  ...{ plus_di: 'adx(14).plus_di', minus_di: 'adx(14).minus_di', di: 'adx(14).plus_di' },
  ...{ di_plus: 'adx(14).plus_di', di_minus: 'adx(14).minus_di', fi: 'force_index(13)' },
  ...{ tenkan: 'ichimoku.conversion', kijun: 'ichimoku.base', senkou_a: 'ichimoku.span_a' },
  ...{ senkou_b: 'ichimoku.span_b', ha_close: 'heikin_ashi.close', ha_open: 'heikin_ashi.open' },
  ...{ doji: 'candles.doji = 1', hammer: 'candles.hammer = 1', marubozu: 'candles.marubozu = 1' },
  ...{ engulfing: 'candles.engulfing > 0', bullish_engulfing: 'candles.engulfing > 0' },
  ...{ bearish_engulfing: 'candles.engulfing < 0', harami: 'candles.harami > 0' },
  ...{ morning_star: 'candles.morning_star = 1', evening_star: 'candles.evening_star = -1' },
  ...{ shooting_star: 'candles.shooting_star = -1', piercing: 'candles.piercing = 1' },
  ...{ dark_cloud: 'candles.dark_cloud = -1', inside_bar: 'high < high[1] and low > low[1]' },
  ...{
    outside_bar: 'high > high[1] and low < low[1]',
    inside_day: 'high < high[1] and low > low[1]',
  },
  ...{ r1: 'pivot_points.r1', s1: 'pivot_points.s1', r2: 'pivot_points.r2', s2: 'pivot_points.s2' },
  ...{ rvol: 'volume / avg(volume, 20)', relative_volume: 'volume / avg(volume, 20)' },
  ...{ rel_volume: 'volume / avg(volume, 20)', relvol: 'volume / avg(volume, 20)' },
  ...{
    avg_volume: 'avg(volume, 20)',
    avgvol: 'avg(volume, 20)',
    average_volume: 'avg(volume, 20)',
  },
  ...{ avgvolume: 'avg(volume, 20)', volume_avg: 'avg(volume, 20)', vol: 'volume' },
  ...{ gap: '(open / close[1] - 1) * 100', gap_up: '(open / close[1] - 1) * 100' },
  ...{ gap_down: '(open / close[1] - 1) * 100', gap_pct: '(open / close[1] - 1) * 100' },
  ...{ change_from_open: '(close / open - 1) * 100', adr: 'avg(high - low, 20)' },
  ...{ volatility: 'historical_volatility(20)', variance: 'stddev(20) * stddev(20)' },
  ...{ crossover: 'close crosses above sma(50)', crossunder: 'close crosses below sma(50)' },
  ...{ cross: 'close crosses sma(50)', crossed: 'close crosses above sma(50)' },
  ...{
    golden_cross: 'sma(50) crosses above sma(200)',
    death_cross: 'sma(50) crosses below sma(200)',
  },
  ...{ barssince: 'bars_since(close > open)', iff: 'if(close > open, 1, 0)' },
  ...{ nz: 'if(rsi(14) is null, 0, rsi(14))', na: 'rsi(14) is null', valuewhen: 'close[1]' },
  ...{ ref: 'close[1]', shift: 'close[1]', lag: 'close[1]', delay: 'close[1]' },
  ...{ prev_close: 'close[1]', previous_close: 'close[1]', prior_close: 'close[1]' },
  ...{ prevclose: 'close[1]', yesterday: 'close[1]', close_1d_ago: 'close[1]', last: 'close' },
  ...{ last_price: 'close', typical_price: 'hlc3', median_price: 'hl2', hlcc4: 'ohlc4' },
  ...{ '52w_high': 'highest(high, 252)', '52w_low': 'lowest(low, 252)' },
  ...{ high_52w: 'highest(high, 252)', low_52w: 'lowest(low, 252)' },
  ...{ high52: 'highest(high, 252)', low52: 'lowest(low, 252)' },
  ...{ week_52_high: 'highest(high, 252)', week_52_low: 'lowest(low, 252)' },
  ...{ new_high: 'high >= highest(high, 252)', new_low: 'low <= lowest(low, 252)' },
  ...{ all_time_high: 'highest(high, 5000)', ath: 'highest(high, 5000)' },
  ...{ ytd: 'year_to_date', perf_ytd: 'year_to_date', dow: 'weekday' },
  ...{ perf_week: 'pct_change(close, 5)', perf_month: 'pct_change(close, 21)' },
  ...{ perf_quarter: 'pct_change(close, 63)', perf_half: 'pct_change(close, 126)' },
  ...{ perf_year: 'pct_change(close, 252)', performance_1y: 'pct_change(close, 252)' },
  ...{ mktcap: 'market_cap', cap: 'market_cap', marketcap: 'market_cap' },
  ...{ free_cash_flow: 'market_cap / pfcf', earnings_date: 'days_to_earnings' },
  ...{ sales_growth: 'revenue_growth' },
  ...{ roi: 'roic', net_profit: 'net_income' },
  ...{ ebitda: 'enterprise_value / ev_to_ebitda', fcf: 'market_cap / pfcf' },
  ...{ cash_per_share: 'cash / shares_outstanding' },
  ...{
    book_value_per_share: 'total_equity / shares_outstanding',
    rating: "analyst_consensus = 'buy'",
  },
  ...{ analyst_rating: "analyst_consensus = 'buy'", recommendation: "analyst_consensus = 'buy'" },
  ...{ is_etf: "type = 'etf'", etf: "type = 'etf'", percentile: 'rank(volume)' },
  ...{ percent_rank: 'rank(volume)', percentrank: 'rank(volume)', spy: "symbol('SPY').close" },
  ...{ dollar_volume: 'close * volume', rel_vol: 'volume / avg(volume, 20)' },
  ...{ atr_pct: '100 * atr / close', atr_percent: '100 * atr / close', atrp: '100 * atr / close' },
  ...{ ps_ratio: 'price_to_sales', pb_ratio: 'price_to_book', change_percent: 'change_pct' },
  ...{ return_1y: 'pct_change(close, 252)', performance_1m: 'pct_change(close, 21)' },
  ...{ upper_bb: 'bollinger(20, 2).upper', lower_bb: 'bollinger(20, 2).lower' },
  ...{ nr7: 'high - low <= lowest(high - low, 7)', insider_buying: 'insider_net_shares_90d > 0' },
  ...{ cloud_top: 'max(ichimoku.span_a, ichimoku.span_b)', ipo_date: 'listed_bars' },
  ...{ cloud_bottom: 'min(ichimoku.span_a, ichimoku.span_b)' },
};

/** Fields of other programs that nothing here stands for. */
export const ABSENT_WORDS: readonly string[] = [
  ...['peg', 'float', 'shares_float', 'float_shares', 'short_float', 'short_ratio'],
  ...['short_interest', 'inst_own', 'institutional_ownership', 'insider_own', 'forward_pe', 'fpe'],
  ...['option_volume', 'iv', 'implied_volatility', 'iv_rank', 'bid', 'ask', 'spread'],
];

/** Spellings of several words or signs, and what to write. A hint stands at any place within. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bp\s*\/\s*e\b/gi, 'write pe_ratio'],
  [/\bp\s*\/\s*s\b/gi, 'write price_to_sales'],
  [/\bp\s*\/\s*b\b/gi, 'write price_to_book'],
  [/\b(?:d\s*\/\s*e|debt\s*\/\s*(?:eq|equity))\b/gi, 'write debt_to_equity'],
  [/\bev\s*\/\s*ebitda\b/gi, 'write ev_to_ebitda'],
  [/\bmarket\s+cap(?:italization)?\b/gi, 'write market_cap'],
  [/\b52[\s_-]*w(?:ee)?ks?[\s_-]*high\b/gi, 'write highest(high, 252)'],
  [/\b52[\s_-]*w(?:ee)?ks?[\s_-]*low\b/gi, 'write lowest(low, 252)'],
  [/\brel(?:ative)?\s+volume\b/gi, 'write volume / avg(volume, 20)'],
  [/\b(?:average|avg)\s+volume\b/gi, 'write avg(volume, 20)'],
  [/\b(?:high|low)\s+of\s+day\b/gi, 'write high or low: a daily bar has those of the day'],
  [/\b\d+\s+(?:bars?|days?)\s+ago\b/gi, 'write close[5] for the value 5 bars before'],
  [/\bcross(?:es|ed|ing)?\s+(?:over|up)\b\s*\w*/gi, 'write "crosses above"'],
  [/\bcross(?:es|ed|ing)?\s+(?:under|down)\b\s*\w*/gi, 'write "crosses below"'],
  [/\bcross(?:ed|ing)?\s+(?:above|below)\b/gi, 'write "crosses above" or "crosses below"'],
  [
    /(?<!cross\w*\s+)\b(?:is\s+)?(?:below|under|less\s+than)\s+[\w.]+/gi,
    'write <, as in rsi(14) < 30',
  ],
  [
    /(?<!cross\w*\s+)\b(?:is\s+)?(?:above|over|greater\s+than|more\s+than)\s+[\w.]+/gi,
    'write >, as in rsi(14) > 70',
  ],
  [
    /\b(?:sector|industry|country|exchange|type)\s*(?:==?|!=|\bis\b)\s*[a-z]\w*/gi,
    "write texts in quotes, as in sector = 'technology'",
  ],
  [
    /\b(?:\w*yield|\w*margin|\w*growth\w*|ro[aec]\w*|payout_ratio)\s*[<>=]+\s*[\d.]+\s*%/gi,
    'ratios are fractions: write 0.05 for 5 %',
  ],
  [/\d\s*(?:thousand|million|billion|trillion)\b/gi, 'write K, M, B or T, as in 1B'],
  [/\b\d{1,3}(?:,\d{3})+\b/g, 'write numbers without commas: 1000000 or 1M'],
  [
    /(?:industry|company_name|sector)\s+(?:contains|like)\b/gi,
    "compare whole texts, as in sector in ('energy', 'utilities')",
  ],
  [/\bsupertrend\s*=+\s*\w+/gi, 'write close > supertrend(10, 3) for an upward trend'],
  [/\b(?:\w+\s+)?(?:is\s+)?rising\b/gi, 'write obv > obv[1] for 3'],
  [/(?<!\$)\$\s*\d/g, 'write the number alone'],
  [/\bzig_?zag\b/gi, 'it looks ahead: later bars change its past values'],
  [/\bmath\.\w+\s*\(/gi, 'write abs(x), log(x), min(a, b) or max(a, b)'],
  [/\b(?:close|open|high|low|volume)\.\d+/gi, 'write close[1] for the value one bar before'],
];

/** Returns advice for a spelling of other programs around a place of a text. */
export function phraseHint(text: string, offset: number): string | undefined {
  for (const [phrase, hint] of PHRASES) {
    for (const { index, 0: found } of text.matchAll(phrase)) {
      if (index <= offset && offset < index + found.length) return hint;
    }
  }
  return undefined;
}
