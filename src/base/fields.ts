/**
 * The fields of quotes, of screens and of their rows, each declared once: name, usual words, title,
 * unit, source and text. Files, JSON, CSV and Arrow, the API's schemas, filters, sort orders,
 * conditions, messages, the page, tools for agents and widgets follow from this table. A new field
 * is a row here and a function that computes it.
 */

import { RATIOS, type RatioField, ratioField } from './companies/ratios.ts';

/** Unit of a number; a ratio has none. */
export type FieldUnit = 'usd' | 'price' | 'fraction' | 'percent' | 'shares' | 'count' | 'ratio';

export interface Field {
  /**
   * `volume` is a float64 in files, and has six decimals in JSON and CSV. `timestamp` is microseconds
   * in files and a date-time in responses.
   */
  kind: 'number' | 'volume' | 'timestamp' | 'text';
  /** Undefined for times and texts. */
  unit?: FieldUnit | undefined;
  /** Title without its unit; by default the name with blanks. */
  title?: string;
  /** Words that people use for it, which messages translate. */
  words?: readonly string[];
  /** Its text in the reference of screens; undefined if conditions can't name it. */
  description?: string;
  /** Value of a screen as of a past day; the default is the value that was known then. */
  past?:
    | /** The value of today. */ 'present'
    | /** Null: the published rows do not show what was known on a past day. */ 'null'
    | undefined;
  /** True if the value may be unknown: NaN in columns, null in responses. */
  isNullable?: true;
  /** True if readers derive it from other fields, so that files do not have it. */
  isDerived?: true;
  /** Present if a quote has the field; `description` is its text in the API reference. */
  quote?: { description?: string };
  /** Present if a row of a screen has the field, at a place and with a text in the API reference. */
  row?: { place: number; description?: string };
  /** Present if a screen can be filtered by bounds of the field. */
  filter?: {
    /** Place among the filters of the API description. */
    place: number;
    /** Text of the minimum's parameter, whose name is the field's with `_min`. */
    min: string;
    /** Text of the maximum's parameter; undefined without a maximum. */
    max?: string;
    /** True if screens can be sorted by the field. */
    isSortable?: true;
  };
  /** Value of the example in the API reference, for fields of a row. */
  example?: number | string;
}

const twelveMonths = (what: string) => `${what} of the last twelve months filed, in US dollars.`;
const newestBalance = (what: string) => `${what} in the newest balance sheet, in US dollars.`;
const ninetyDays = (what: string) => `${what}, filed within 90 days.`;

const number = (unit: FieldUnit, description: string, past?: Field['past']) =>
  ({ kind: 'number', unit, description, past }) as const;
const text = (description: string, past?: Field['past']) =>
  ({ kind: 'text', description, past }) as const;

/** @param words Those that people use for the field, with blanks between. */
const called = <F extends Field>(field: F, words: string) => ({
  ...field,
  words: words.split(' '),
});
const titled = <F extends Field>(field: F, title: string) => ({ ...field, title });

/** In the order of the quotes file and of a quote, then in that of the reference of screens. */
export const FIELDS = {
  price: {
    ...number('price', 'Close of the newest bar (a minute or a day).'),
    quote: { description: 'Close of the newest bar (a minute or a day).' },
    row: { place: 1, description: 'Close of the newest bar.' },
    filter: { place: 5, min: 'Smallest `price`.', max: 'Largest `price`.' },
    example: 104.53,
  },
  change: {
    kind: 'number',
    unit: 'price',
    isNullable: true,
    isDerived: true,
    quote: {
      description: 'Difference from `previousClose`, with no more decimals than the two have.',
    },
  },
  change_pct: {
    ...called(number('percent', 'Change since the previous session, in percent.'), 'chg'),
    title: 'Change',
    isNullable: true,
    quote: { description: '`change` in percent of `previousClose`, rounded to six decimals.' },
    row: { place: 2, description: 'Change since the previous session, in percent; as in a quote.' },
    filter: {
      place: 6,
      min: 'Smallest `changePct`, in percent.',
      max: 'Largest `changePct`, in percent.',
      isSortable: true,
    },
    example: 1.920827,
  },
  /** Conditions read the volume of bars. */
  volume: {
    kind: 'volume',
    unit: 'shares',
    quote: { description: 'Volume of the session so far.' },
    row: { place: 8, description: 'Volume of the newest session.' },
    filter: { place: 4, min: 'Smallest `volume`.', isSortable: true },
    example: 239810,
  },
  timestamp: { kind: 'timestamp', quote: { description: 'End of the newest bar.' } },
  day_high: { kind: 'number', unit: 'price', quote: {} },
  day_low: { kind: 'number', unit: 'price', quote: {} },
  day_open: { kind: 'number', unit: 'price', quote: {} },
  /** On the split basis of the quote's day: a split between the two days divides it. */
  previous_close: {
    kind: 'number',
    unit: 'price',
    isNullable: true,
    quote: { description: 'Close of the previous session, adjusted for splits.' },
  },
  market_cap: {
    ...called(number('usd', 'Price times shares outstanding.'), 'mcap capitalization'),
    isNullable: true,
    quote: {
      description:
        'Price times shares outstanding by the newest filing; null if it is unknown, or 400 days ' +
        'newer than the price.',
    },
    row: { place: 3, description: 'As in a quote.' },
    filter: {
      place: 1,
      min: 'Smallest `marketCap`. Null passes no filter.',
      max: 'Largest `marketCap`.',
      isSortable: true,
    },
    example: 4517284124.29,
  },
  /** RSI of the default adjustment's closes. */
  rsi14: {
    kind: 'number',
    unit: 'ratio',
    title: 'RSI 14',
    isNullable: true,
    row: { place: 9, description: '14-day RSI.' },
    filter: { place: 7, min: 'Smallest `rsi14`.', max: 'Largest `rsi14`.' },
    example: 52.440833438385305,
  },
  pe_ratio: {
    ...called(
      number('ratio', 'Price over the diluted earnings per share of the last twelve months filed.'),
      'per',
    ),
    title: 'P/E',
    isNullable: true,
    row: {
      place: 4,
      description: 'Price over the diluted earnings per share of the last twelve months filed.',
    },
    filter: {
      place: 2,
      min: 'Smallest `peRatio`.',
      max: 'Largest `peRatio`.',
      isSortable: true,
    },
    example: 11.386710239651416,
  },
  dividend_yield: {
    ...called(
      number('fraction', "The last year's dividends as a fraction of the price."),
      'yield div_yield',
    ),
    isNullable: true,
    row: { place: 5, description: "The last year's dividends as a fraction of the price." },
    filter: {
      place: 3,
      min: 'Smallest `dividendYield`, a fraction: 0.02 is two percent.',
      isSortable: true,
    },
    example: 0,
  },
  shares_outstanding: called(
    number('shares', 'Shares outstanding by the newest filing, adjusted for later splits.'),
    'shares',
  ),
  price_to_sales: called(number('ratio', '`market_cap` over `revenue`.'), 'psr'),
  price_to_book: called(
    number('ratio', '`market_cap` over `total_equity`; null if that is not positive.'),
    'pbr',
  ),
  enterprise_value: called(number('usd', '`market_cap` plus `total_debt` minus `cash`.'), 'ev'),
  revenue: called(number('usd', twelveMonths('Revenue')), 'sales'),
  gross_profit: number('usd', twelveMonths('Gross profit')),
  operating_income: number('usd', twelveMonths('Operating income')),
  net_income: called(number('usd', twelveMonths('Net income')), 'profit earnings'),
  eps: titled(
    number('price', `${twelveMonths('Basic earnings per share')} Adjusted for later splits.`),
    'EPS',
  ),
  eps_diluted: titled(
    number('price', `${twelveMonths('Diluted earnings per share')} Adjusted for later splits.`),
    'EPS diluted',
  ),
  revenue_growth: number(
    'fraction',
    'Change of revenue from the twelve months a year before, as a fraction.',
  ),
  net_income_growth: number(
    'fraction',
    'Change of net income from the twelve months a year before, as a fraction; null after a loss.',
  ),
  gross_margin: number('fraction', 'Gross profit as a fraction of revenue.'),
  operating_margin: number('fraction', 'Operating income as a fraction of revenue.'),
  net_margin: called(number('fraction', 'Net income as a fraction of revenue.'), 'profit_margin'),
  return_on_equity: number(
    'fraction',
    'Net income of twelve months as a fraction of the newest `total_equity`.',
  ),
  total_assets: called(number('usd', newestBalance('Total assets')), 'assets'),
  total_liabilities: called(number('usd', newestBalance('Total liabilities')), 'liabilities'),
  total_equity: called(number('usd', newestBalance('Total equity')), 'equity book_value'),
  cash: number('usd', newestBalance('Cash and cash equivalents')),
  total_debt: called(number('usd', newestBalance('Short and long borrowings')), 'debt'),
  debt_to_equity: called(
    number('ratio', '`total_debt` over `total_equity`; null if that is not positive.'),
    'de',
  ),
  days_since_filing: number(
    'count',
    'Days from the newest filing that changed one of these figures to the newest session.',
  ),
  days_to_earnings: number(
    'count',
    'Days from the newest session to the next expected report; 0 on its day, null if none is ' +
      'known.',
    'null',
  ),
  days_since_earnings: number(
    'count',
    'Days from the last report before the newest session; null if none is known.',
    'null',
  ),
  analyst_count: number('count', 'Number of analysts in the consensus.', 'null'),
  target_price: titled(
    called(number('price', 'Mean of the price targets.', 'null'), 'target price_target'),
    'Target',
  ),
  target_upside: called(
    number('fraction', '`target_price` above the price, as a fraction of the price.', 'null'),
    'upside',
  ),
  insider_net_shares_90d: number(
    'shares',
    ninetyDays('Shares that insiders bought minus sold'),
    'null',
  ),
  insider_net_value_90d: number(
    'usd',
    ninetyDays('Purchases minus sales of insiders, in US dollars'),
    'null',
  ),
  insider_buys_90d: number('count', ninetyDays('Purchases of insiders'), 'null'),
  insider_sells_90d: number('count', ninetyDays('Sales of insiders'), 'null'),
  listed_days: number('count', 'Daily bars of the security up to the day.'),
  symbol: text('Ticker.'),
  company_name: titled(called(text('Name of the company.'), 'name company'), 'Name'),
  sector: {
    ...text('Sector.', 'present'),
    row: { place: 6 },
    example: 'Technology',
  },
  industry: {
    ...text('Industry.', 'present'),
    row: { place: 7 },
    example: 'Semiconductors',
  },
  country: text('Two-letter country code (ISO 3166).', 'present'),
  exchange: text('Exchange that lists it.'),
  type: text('Kind of security: stock, etf and so on.', 'present'),
  analyst_consensus: text('Strong Buy, Buy, Hold, Sell or Strong Sell.', 'null'),
} as const satisfies Record<string, Field>;

type Fields = typeof FIELDS;

/** Name of a field in files, responses and columns: `dividendYield` of `dividend_yield`. */
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** Names in responses of the fields that have all properties of `Shape`. */
type FieldWith<Shape> = Camel<
  { [Name in keyof Fields]: Fields[Name] extends Shape ? Name : never }[keyof Fields]
>;

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const ALL: readonly [name: string, field: Field][] = Object.entries(FIELDS);

/** Names in responses of the fields for which `is` holds. */
function namesWith<Name>(is: (field: Field) => unknown): Name[] {
  return ALL.filter(([, field]) => is(field)).map(([name]) => camelCase(name) as Name);
}

export type NullableField = FieldWith<{ isNullable: true }>;
/** Fields of the quotes file and of quotes. */
export type QuoteFieldName = FieldWith<{ quote: object }> | ScreenerNumber;
/** Numbers that the quotes file has, counts among them. */
export type StoredNumber = Exclude<
  QuoteFieldName,
  FieldWith<{ isDerived: true }> | FieldWith<{ kind: 'timestamp' }>
>;
/** Numbers that screens filter by. */
export type ScreenerNumber = FieldWith<{ filter: object }>;

/** By the name in responses. */
const BY_CAMEL = new Map(ALL.map(([name, field]) => [camelCase(name), field]));

/** Returns the declaration of a field by its name in responses. */
export function quoteField(name: string): Field {
  return BY_CAMEL.get(name)!;
}

export const QUOTE_FIELD_NAMES = namesWith<QuoteFieldName>(({ quote, filter }) => quote ?? filter);

export const STORED_NUMBERS = QUOTE_FIELD_NAMES.filter(
  (name) => quoteField(name).kind !== 'timestamp' && !quoteField(name).isDerived,
) as StoredNumber[];

export const NULLABLE_FIELDS = namesWith<NullableField>(({ isNullable }) => isNullable);

export const SCREENER_NUMBERS = namesWith<ScreenerNumber>(({ filter }) => filter);

/** Texts of a security that screens filter by. */
export const SCREENER_TEXTS = ['sector', 'industry', 'country', 'exchange'] as const;

export type ScreenerText = (typeof SCREENER_TEXTS)[number];

/** A number of a screen's row, or one of its texts. */
export type ScreenerField =
  | { name: ScreenerNumber; isText: false }
  | { name: ScreenerText & FieldWith<{ row: object }>; isText: true };

/** Fields of a screen's row behind `symbol` and `companyName`, in its order. */
export const SCREENER_ROW = ALL.filter(([, { row }]) => row)
  .sort(([, a], [, b]) => a.row!.place - b.row!.place)
  .map(([name, { kind }]) => ({ name: camelCase(name), isText: kind === 'text' }) as ScreenerField);

/** The filters of a screen in their order, each with its column. */
export const SCREENER_FILTERS = ALL.flatMap(([name, { filter }]) =>
  filter ? [{ name, column: camelCase(name) as ScreenerNumber, ...filter }] : [],
).sort((a, b) => a.place - b.place);

const COLUMNS = new Map<string, ScreenerNumber>(
  SCREENER_FILTERS.map(({ name, column }) => [name, column]),
);

/** Returns the column of a filter in tables of screens. */
export function columnOfFilter(name: FilterName): ScreenerNumber | 'lastBarDay' {
  return COLUMNS.get(name) ?? 'lastBarDay';
}

/** Returns the filter of a column in tables of screens. */
export function filterOfColumn(column: ScreenerNumber): FilterName {
  return SCREENER_FILTERS.find((filter) => filter.column === column)!.name as FilterName;
}

/** Fields of a row that filters compare with bounds; `last_bar_day` is in days since the epoch. */
export type FilterName =
  | 'last_bar_day'
  | ScreenFieldName
  | {
      [Name in keyof Fields]: Fields[Name] extends { filter: object } ? Name : never;
    }[keyof Fields];

/** Fields of ratios. Those of the same name above are the same. */
const RATIO_FIELDS = Object.fromEntries(
  RATIOS.map(({ name, title, unit, description }) => [
    ratioField(name),
    titled(number(unit, description), title),
  ]),
) as Record<RatioField, Field>;

/** A field of one store's own facts: 1 or 0 for membership in a universe, or an own column. */
export type OwnFieldName = `universe ${string}` | `own ${string}`;

/** Fields that a condition can name. They have one value at the moment of a screen. */
export type ScreenFieldName =
  | {
      [Name in keyof Fields]: Fields[Name] extends { description: string } ? Name : never;
    }[keyof Fields]
  | RatioField
  | OwnFieldName;

/** Fields by the names in conditions. */
const BY_NAME: Readonly<Record<string, Field>> = { ...RATIO_FIELDS, ...FIELDS };

export const SCREEN_FIELD_NAMES = [
  ...new Set([...Object.keys(FIELDS), ...Object.keys(RATIO_FIELDS)]),
].filter((name) => BY_NAME[name].description !== undefined) as ScreenFieldName[];

const OWN_FIELD = number('ratio', 'A value of the user’s own, the newest one known on the day.');

export function isOwnField(name: string): name is OwnFieldName {
  return name.startsWith('universe ') || name.startsWith('own ');
}

/** Returns the declaration of a field that a condition can name. */
export function screenField(name: ScreenFieldName): Field {
  return isOwnField(name) ? OWN_FIELD : BY_NAME[name];
}

/** Returns the field that people mean by a word: `price_to_book` by `pbr`. */
export function fieldOfWord(word: string): ScreenFieldName | undefined {
  return SCREEN_FIELD_NAMES.find((name) => screenField(name).words?.includes(word));
}

/**
 * Returns the title of a field by either name, with the unit of prices; undefined for another text.
 */
export function fieldTitle(name: string): string | undefined {
  const field = BY_NAME[name] ?? BY_CAMEL.get(name);
  if (!field) return undefined;
  const words = field.title ?? name.replace(/_|(?=[A-Z])/g, ' ').toLowerCase();
  return `${words[0].toUpperCase()}${words.slice(1)}${field.unit === 'price' ? ', USD' : ''}`;
}
