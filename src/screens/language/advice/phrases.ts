/**
 * Spellings of several words and signs, and what to write. A hint stands at any place within; `$1`
 * in it is the first group.
 */

const PHRASES: readonly (readonly [RegExp, string])[] = [
  // Signs and numbers.
  [/\w+\s*\|\s*(?:\d*[dwm]|\d+)\b/gi, 'write weekly(rsi(14)) or monthly(rsi(14))'],
  [/(?<!\bs)&&?/gi, 'write "and"'],
  [/\|\|?/g, 'write "or"'],
  [/!(?!=)|~/g, 'write "not"'],
  [/≥|=>/g, 'write >='],
  [/≤|=</g, 'write <='],
  [/≠|=\/=|~=/g, 'write !='],
  [/:=/g, 'write ='],
  [/[“”„‘’`]/g, "write straight quotes, as in sector = 'technology'"],
  [/\*\*|\^/g, 'write close * close for a square'],
  [/\?/g, 'write if(condition, a, b)'],
  [/;|#.*|\/\/.*/gs, 'a text has one expression and no comments'],
  [/\b\d+(?:_\d{3})+\b/g, 'write numbers without signs between digits: 1000000 or 1M'],
  [/\b\d{1,3}(?:,\d{3})+\b/g, 'write numbers without commas: 1000000 or 1M'],
  [
    /[\d.]{1,24}\s*(?:thousand|million|billion|trillion|thsd|mio?|mill?|mln|mm|bn|bln|tn|[kmbt])\b/gi,
    'write K, M, B or T after the number, as in 1B',
  ],
  [/(?<!\$)[$€£]\s*\d|\d\s*(?:\$|usd\b|dollars?\b)/gi, 'write the number alone'],
  [/\bx?(?:avg|max|min|sum)[ohlcv]\d+(?:\.\d+)?/gi, 'write sma(50), ema(20) or highest(high, 20)'],
  [/\b[ohlcv]\d+(?:\.\d+)?\b/gi, 'write close[5] for the value 5 bars before'],
  [
    /\$(?:open|close|high|low|volume|vwap|factor|change|amount)\b/gi,
    'write the name alone, as in close: $ is for parameters of studies',
  ],
  [/\b(?:percent|pct)\b/gi, 'percents are plain numbers, as in change_pct > 5'],
  // Ratios and fields in several words.
  [
    /\b(?:\w*yield|\w*margin|\w*growth\w*|ro[aeic]\w*|payout_ratio)\s*[<>=]+\s*[\d.]+\s*%/gi,
    'ratios are fractions: write 0.05 for 5 %',
  ],
  [/\/[^<>=/]{1,60}[<>=]+\s*[\d.]+\s*%/g, 'ratios are fractions: write 0.05 for 5 %'],
  [/\bby\s+[\d.]+\s*%/gi, 'write close > 1.05 * sma(20)'],
  [
    /\bwithin\s+[\d.]+\s*%\s*(?:of|from)?(?=.*(?:high|\bath\b))/gi,
    'write close > 0.95 * highest(high, 252)',
  ],
  [/\bwithin\s+[\d.]+\s*%|\bnear\s+\w+/gi, 'write close between 0.98 * sma(50) and 1.02 * sma(50)'],
  [/\b(?:average|avg)\s+volume\b/gi, 'write avg(volume, 20)'],
  [/\b52[\s_-]*w(?:ee)?ks?[\s_-]*high\b/gi, 'write highest(high, 252)'],
  [/\b52[\s_-]*w(?:ee)?ks?[\s_-]*low\b/gi, 'write lowest(low, 252)'],
  [/(?<=[^\w)\s]\s*|^\s*)-\s*DI\b/gi, 'write adx(14).minus_di'],
  [/\+\s*DI\b|\bDI\s*\+/gi, 'write adx(14).plus_di'],
  [/\bDI\s*-/gi, 'write adx(14).minus_di'],
  [
    /\b(?:sector|industry|country|exchange|type|symbol)\s*(?:==?|!=|\bis\b|\bin\b\s*\(?)\s*[a-z]\w*/gi,
    "write texts in quotes, as in sector = 'technology' or symbol in ('AAPL', 'MSFT')",
  ],
  [/\b(?:beta|correlation)\s*\(\s*['"]/gi, "write symbol('SPY').close"],
  [/\bin\s+universe\s*\(?\s*[a-z]\w*/gi, "write in universe('name')"],
  [
    /(?:industry|company_name|sector)\s+(?:contains|like)\b/gi,
    "compare whole texts, as in sector in ('energy', 'utilities')",
  ],
  [/(?:==?|\bis)\s*(?:null|nan|none|na|nothing)\b/gi, 'write pe_ratio is null'],
  [/(?:!=|\bis\s+not)\s*(?:null|nan|none|na|nothing)\b/gi, 'write pe_ratio is not null'],
  [/\bin\s+@?(?:[a-z]+\d+|dow|nasdaq)\b|\buniverse\s*\(/gi, "write in universe('sp500')"],
  [/(?:^|\bin\s+)\s*(?:index\b(?!\s*\()|sp500\b|s&p\s*500\b)/gi, "write in universe('sp500')"],
  [/\b(?:sector|industry|country|exchange|type)\s+is\s+['"]/gi, "write sector = 'technology'"],
  [/\bweekday\s*=+\s*['"]/gi, 'Monday is 1 and Friday 5'],
  // Comparisons in words.
  [/\bequals?(?:\s+to)?\b/gi, 'write ='],
  [/\bat\s+(least|most)\b/gi, 'write >= for at least, <= for at most'],
  [/\bcross(?:es|ed|ing)?[\s_]+(?:over|up|upwards?)\b\s*\w*/gi, 'write "crosses above"'],
  [/\bcross(?:es|ed|ing)?[\s_]+(?:under|down)\b\s*\w*/gi, 'write "crosses below"'],
  [/\bhas\s+crossed\b|\bcrossing\b/gi, 'write sma(50) crosses sma(200)'],
  [/\bfrom\s+(?:above|below)\b/gi, 'write "crosses above" or "crosses below"'],
  [
    /(?<!cross\w*\s+)\b(?:is\s+)?(?:below|under|(?:less|lower|smaller)\s+than)\s+[\w.]+/gi,
    'write <, as in rsi(14) < 30',
  ],
  [
    /(?<!cross\w*\s+)\b(?:is\s+)?(?:above|over|(?:greater|more|higher|larger)\s+than)\s+[\w.]+/gi,
    'write >, as in rsi(14) > 70',
  ],
  [/(?<=[\w)])\s+x\s+(?=[a-z])/gi, 'write close crosses above sma(50)'],
  [
    /\b(?:between\s+\S+\s*(?:,|to)|from\s+[\d.]+\s+to|in\s*\[)/gi,
    'write rsi(14) between 20 and 30',
  ],
  [
    /\bsupertrend\s*(?:=+\s*\w+|(?:is\s+)?(?:buy|long|bull\w*|green|up|sell|short|bear\w*|red|down)\b)/gi,
    'write close > supertrend(10, 3) for an upward trend',
  ],
  [
    /\b(highest|lowest)\s+(open|high|low|close|volume)\s+\d+/gi,
    'write $1($2, 252) with the bars in parentheses',
  ],
  [/\b(?:\w+\s+)?(?:is\s+)?rising\b/gi, 'write obv > obv[1] for 3'],
  [/\b(?:\w+\s+)?(?:is\s+)?falling\b/gi, 'write obv < obv[1] for 3'],
  [
    /\b(?:up|green)\s+\d+\s*(?:days?|bars?)|\d+\s*(?:up|green)\s+(?:days?|bars?)/gi,
    'write close > open for 3',
  ],
  [
    /\b(?:down|red)\s+\d+\s*(?:days?|bars?)|\d+\s*(?:down|red)\s+(?:days?|bars?)/gi,
    'write close < open for 3',
  ],
  [/\b(?:up|down)\s+[\d.]+\s*%?/gi, 'write change_pct > 5, or change_pct < -5'],
  [/\bconsecutive\s+\w+(?:\s+\w+)?/gi, 'write close > close[1] for 3'],
  [/\bhigher\s+highs?\b/gi, 'write high > high[1]'],
  [/\blower\s+lows?\b/gi, 'write low < low[1]'],
  [
    /\b\d+(?:\.\d+)?\s*x\s+(?:the\s+)?(?:average|avg|normal|usual|volume)\b/gi,
    'write 2 * avg(volume, 20) for twice the average',
  ],
  // Days and other bars.
  [
    /\b\d+\s+(?:bars?|days?)\s+ago\b|\bfrom\s+\d+\s+bars?\s+ago\b/gi,
    'write close[5] for the value 5 bars before',
  ],
  [/\b(?:within|in|for|over)\s+(?:the\s+)?(?:last|past)\s+\d*/gi, 'write rsi(14) < 30 within 5'],
  [/(?<=\b(?:for|within)\s+\d+\s+)(?:days?|sessions?|weeks?|candles?)\b/gi, 'write "bars"'],
  [
    /[<>=]\s*\d+\s*(?:days?|d|bars?|sessions?)(?=\s*(?:$|\)|and\b|or\b))/gi,
    'write the number alone, as in days_to_earnings < 7',
  ],
  [/\bon\s+(?:an?\s+|the\s+)?(?:\d*[wm]\b|week|month)\w*/gi, 'write weekly(rsi(14))'],
  [/\(\s*\d+\s*(?:days?|d|bars?|periods?)\s*(?=\))/gi, 'write the number alone, as in rsi(14)'],
  [/\b(?:weekly|monthly)\.\w+\(?/gi, 'write weekly(rsi(14)) or monthly(rsi(14))'],
  [
    /\b(?:january|february|march|april|june|july|august|september|october|november|december)\b/gi,
    'write month = 12 for December',
  ],
  [/\bearnings\s+(?:with)?in\s+\d+/gi, 'write days_to_earnings <= 5'],
  [/\b(?:weekly|week)\s+(?=[a-z])\w+/gi, 'write weekly(close) or weekly(rsi(14))'],
  [/\b(?:monthly|month)\s+(?=[a-z])\w+/gi, 'write monthly(close) or monthly(rsi(14))'],
  [/\bdaily\s+(?=[a-z])\w+/gi, 'values are those of days: leave the word out'],
  [/\b(?:today|yesterday)'?s?\b/gi, 'write close for today, close[1] for the day before'],
  [/\b(?:high|low)\s+of\s+day\b/gi, 'write high or low: a daily bar has those of the day'],
  [
    /\bdate\s*(?:[<>=!]+|(?:not\s+)?in\s*\()\s*\d{4}\b-?/gi,
    "write days in quotes, as in date >= '2024-03-15'",
  ],
  // Indicators with their numbers elsewhere.
  [
    /\b\d+[\s_-]*(?:days?|d|bars?|periods?)?[\s_-]*(?:simple\s+)?(?:sma|ema|d?ma|moving\s+averages?)\b/gi,
    'write sma(200) or ema(20)',
  ],
  [/\bmoving\s+average\s+\d+/gi, 'write sma(200) or ema(20)'],
  [/\b\d+[\s-]*days?[\s-]*high\b/gi, 'write highest(high, 50)'],
  [/\b\d+[\s-]*days?[\s-]*low\b/gi, 'write lowest(low, 50)'],
  [
    /\b(?:sma|ema|wma|rsi|atr|adx|cci|roc|mfi)[ .]\d+/gi,
    'write sma(200), the number in parentheses',
  ],
  [/\bof\s+volume\b/gi, 'write sma(volume, 20)'],
  [/\b(?:macd|macds|macdh)_\d+_\d+_\d+\b/gi, 'write macd, macd.signal or macd.histogram'],
  [/\bbb[lmu]_\d+(?:_[\d.]+)*/gi, 'write bollinger(20, 2).lower, .middle or .upper'],
  [/\bbbp_\d+(?:_[\d.]+)*/gi, 'write percent_b(20, 2)'],
  [/\bbbb_\d+(?:_[\d.]+)*/gi, 'write bandwidth(20, 2)'],
  [/\bstochrsi[kd]_\d+(?:_\d+)*\b/gi, 'write stochastic_rsi(14, 14, 3, 3).k or .d'],
  [/\bstoch[kd]_\d+(?:_\d+)*\b/gi, 'write stochastic(14, 3, 3).k or .d'],
  [/\batrr?_\d+\b/gi, 'write atr(14)'],
  [/\bdm[pn]_\d+\b/gi, 'write adx(14).plus_di or .minus_di'],
  [/\bsupert[dls]?_\d+_[\d.]+/gi, 'write supertrend(7, 3)'],
  [/\bkc[lbu]e?_\d+_[\d.]+/gi, 'write keltner(20, 2).lower or .upper'],
  [/\bdc[lmu]_\d+_\d+/gi, 'write donchian(20).lower or .upper'],
  [/\bpsar[lsafr]+_[\d._]+/gi, 'write psar(0.02, 0.2)'],
  [/\bsqz\w*_[\d._]+/gi, 'write squeeze(20, 2, 1.5).momentum or .on'],
  [/\baroon[du]_\d+/gi, 'write aroon(14).up or .down'],
  [/\bvtx[pm]_\d+/gi, 'write vortex(14).plus or .minus'],
  [/\beom_\d+_\d+/gi, 'write eom(14)'],
  [/\bcci_\d+_[\d.]+/gi, 'write cci(14)'],
  [/\bvwap_[a-z]\b/gi, 'write vwap(14)'],
  [/\bzs_\d+/gi, 'write zscore(30)'],
  [
    /\bzig_?zag\b/gi,
    'it looks ahead: later bars change its past values, so only charts of the page draw it',
  ],
  [/\badj(?:usted)?\.?\s+close\b/gi, 'write close, which is adjusted for splits'],
  [/\b(?:true|false)\b/gi, 'write a condition, as in close > open'],
  // Code.
  [/\bif\s+\w+|\b(?:then|else)\b/gi, 'write if(condition, a, b)'],
  [
    /\b(?:close|high|low)\s+of\s+(?:the\s+)?(?:(?:last|past|prior|previous)\b|\d)/gi,
    'write highest(high, 20) or lowest(low, 20)',
  ],
  [
    /\b(?:close|open|high|low|price|volume|return)\s+of\s+\w+|\bindex\s*\(/gi,
    "write symbol('SPY').close",
  ],
  [/\.shift\s*\(\s*-/gi, 'write close[1] for one bar before: later bars are not known'],
  [
    /\b([a-z_]\w{0,40}(?:\([^()]{0,60}\))?(?:\.[a-z]\w{0,20})?)\.shift\s*\(\s*(\d+)\s*\)/gi,
    'write $1[$2]',
  ],
  [/\.shift\s*\(/gi, 'write close[1] for the value one bar before'],
  [/\.rolling\s*\(.*/gi, 'write sma(20), highest(close, 20) or sum(close, 20)'],
  [/\.pct_change\s*\(/gi, 'write pct_change(close, 1)'],
  [/\.diff\s*\(/gi, 'write change(close, 1)'],
  [
    /\.(?:abs|mean|max|min|std|sum|iloc|loc|values?)\b/gi,
    'write functions before what they take, as in abs(change)',
  ],
  [
    /\b(?:df|self|data|bars|stock)\s*(?:\.[\w.]+|\[\s*['"]?\w*)/gi,
    'write names alone, as in rsi(14) or close',
  ],
  [
    /\b(?:talib|pandas_ta|pta|np|numpy|math)\.\w+\s*\(?/gi,
    'write functions alone, as in rsi(14), abs(x) or max(a, b)',
  ],
  [
    /\(\s*(?:[^(),]{0,40},\s*)?(?:length|period|window|timeperiod|n|price|data|source|src|len)\s*=\s*\w+/gi,
    'write values without their names, as in rsi(14)',
  ],
  [/\brequest\.security\s*\(/gi, "write symbol('SPY').close, or weekly(close)"],
  [/\b(?:ta|fa|sh|cap|geo|sec|ind|idx)_\w+/gi, 'write it as a condition, as in close > sma(200)'],
  [/\b(?:close|open|high|low|volume)\.\d+/gi, 'write close[1] for the value one bar before'],
  [
    /\[\s*\d*\s*:\s*\d*/g,
    'write close[1] for one bar, highest(close, 5) or sum(close, 5) for several',
  ],
  [/\b(?:order|sort)\s+by\b/gi, 'write what to sort by as sort'],
  [/\b(?:top|bottom)\s+[\d.]+\s*%/gi, 'write rank(pct_change(close, 126)) > 0.9'],
  [/\b(?:top|limit|first)\s+\d+/gi, 'a condition has no count of rows: ask for a limit'],
  [/\bselect\b.*|^\s*where\b\s*\w*/gi, 'the text is the condition alone, as in close > 5'],
  [/^\s*\[/g, 'write conditions alone, as in close > sma(50) and volume > 1M'],
];

/** Returns advice for a spelling of other programs around a place of a text. */
export function phraseHint(text: string, offset: number): string | undefined {
  for (const [phrase, hint] of PHRASES) {
    for (const { index, ...groups } of text.matchAll(phrase)) {
      if (offset < index || index + groups[0].length <= offset) continue;
      return hint.replace(/\$(\d)/g, (_, group) => groups[group]);
    }
  }
  return undefined;
}
