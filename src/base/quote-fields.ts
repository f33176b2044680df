/**
 * The fields of quotes and screener rows, each declared once. The columns of the quotes file, the
 * JSON, CSV and Arrow forms, the API schema, the screener's filters and its sort orders all follow
 * from this table. A new field is a row here and a function that computes its figure.
 */

/** Unit of a number; a ratio has none. */
export type FieldUnit = 'usd' | 'price' | 'fraction' | 'percent' | 'shares' | 'count' | 'ratio';

export interface QuoteField {
  /**
   * `volume` is a float64 in files, and has six decimals in JSON and CSV. `timestamp` is microseconds
   * in files and a date-time in responses.
   */
  kind: 'number' | 'volume' | 'timestamp';
  /** Undefined for times. */
  unit?: FieldUnit;
  /** True if the value may be unknown: NaN in columns, null in responses. */
  isNullable?: true;
  /** True if readers derive it from other fields, so that files do not have it. */
  isDerived?: true;
  /** Present if a quote has the field; `description` is its text in the API reference. */
  quote?: { description?: string };
  /** Present if screens can use the field. */
  screener?: {
    /** Place in a row of a screen. */
    place: number;
    /** Its text in the API reference. */
    description: string;
    filter: {
      /** Parameters are this name with `_min` and `_max`. */
      name: string;
      /** Place among the filters of the API description. */
      place: number;
      /** Text of the minimum's parameter. */
      min: string;
      /** Text of the maximum's parameter; undefined without a maximum. */
      max?: string;
      /** True if screens can be sorted by the field. */
      isSortable?: true;
    };
  };
}

/** In the order of the quotes file and of a quote. */
const QUOTE_FIELDS = {
  price: {
    kind: 'number',
    unit: 'price',
    quote: { description: 'Close of the newest bar (a minute or a day).' },
    screener: {
      place: 1,
      description: 'Close of the newest bar.',
      filter: { name: 'price', place: 5, min: 'Smallest `price`.', max: 'Largest `price`.' },
    },
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
  changePct: {
    kind: 'number',
    unit: 'percent',
    isNullable: true,
    quote: { description: '`change` in percent of `previousClose`, rounded to six decimals.' },
    screener: {
      place: 2,
      description: 'Change since the previous session, in percent; as in a quote.',
      filter: {
        name: 'change_pct',
        place: 6,
        min: 'Smallest `changePct`, in percent.',
        max: 'Largest `changePct`, in percent.',
        isSortable: true,
      },
    },
  },
  volume: {
    kind: 'volume',
    unit: 'shares',
    quote: { description: 'Volume of the session so far.' },
    screener: {
      place: 8,
      description: 'Volume of the newest session.',
      filter: { name: 'volume', place: 4, min: 'Smallest `volume`.', isSortable: true },
    },
  },
  timestamp: { kind: 'timestamp', quote: { description: 'End of the newest bar.' } },
  dayHigh: { kind: 'number', unit: 'price', quote: {} },
  dayLow: { kind: 'number', unit: 'price', quote: {} },
  dayOpen: { kind: 'number', unit: 'price', quote: {} },
  /** On the split basis of the quote's day: a split between the two days divides it. */
  previousClose: {
    kind: 'number',
    unit: 'price',
    isNullable: true,
    quote: { description: 'Close of the previous session, adjusted for splits.' },
  },
  marketCap: {
    kind: 'number',
    unit: 'usd',
    isNullable: true,
    quote: {
      description:
        'Price times shares outstanding by the newest filing; null if it is unknown, or 400 days ' +
        'newer than the price.',
    },
    screener: {
      place: 3,
      description: 'As in a quote.',
      filter: {
        name: 'market_cap',
        place: 1,
        min: 'Smallest `marketCap`. Null passes no filter.',
        max: 'Largest `marketCap`.',
        isSortable: true,
      },
    },
  },
  /** RSI of the default adjustment's closes. */
  rsi14: {
    kind: 'number',
    unit: 'ratio',
    isNullable: true,
    screener: {
      place: 9,
      description: '14-day RSI.',
      filter: { name: 'rsi14', place: 7, min: 'Smallest `rsi14`.', max: 'Largest `rsi14`.' },
    },
  },
  peRatio: {
    kind: 'number',
    unit: 'ratio',
    isNullable: true,
    screener: {
      place: 4,
      description: 'Price over the diluted earnings per share of the last twelve months filed.',
      filter: {
        name: 'pe_ratio',
        place: 2,
        min: 'Smallest `peRatio`.',
        max: 'Largest `peRatio`.',
        isSortable: true,
      },
    },
  },
  dividendYield: {
    kind: 'number',
    unit: 'fraction',
    isNullable: true,
    screener: {
      place: 5,
      description: "The last year's dividends as a fraction of the price.",
      filter: {
        name: 'dividend_yield',
        place: 3,
        min: 'Smallest `dividendYield`, a fraction: 0.02 is two percent.',
        isSortable: true,
      },
    },
  },
} as const satisfies Record<string, QuoteField>;

type Fields = typeof QUOTE_FIELDS;

/** Names of the fields that have all properties of `Shape`. */
type FieldWith<Shape> = {
  [Name in keyof Fields]: Fields[Name] extends Shape ? Name : never;
}[keyof Fields];

export type QuoteFieldName = keyof Fields;
export type NullableField = FieldWith<{ isNullable: true }>;
/** Numbers that the quotes file has, counts among them. */
export type StoredNumber = Exclude<
  QuoteFieldName,
  FieldWith<{ isDerived: true }> | FieldWith<{ kind: 'timestamp' }>
>;
/** Numbers that screens filter by. */
export type ScreenerNumber = FieldWith<{ screener: object }>;

export const QUOTE_FIELD_NAMES = Object.keys(QUOTE_FIELDS) as QuoteFieldName[];

/** Returns the declaration of a field, without the literal types of `QUOTE_FIELDS`. */
export function quoteField(name: QuoteFieldName): QuoteField {
  return QUOTE_FIELDS[name];
}

export const STORED_NUMBERS = QUOTE_FIELD_NAMES.filter(
  (name) => quoteField(name).kind !== 'timestamp' && !quoteField(name).isDerived,
) as StoredNumber[];

export const NULLABLE_FIELDS = QUOTE_FIELD_NAMES.filter(
  (name) => quoteField(name).isNullable,
) as NullableField[];

export const SCREENER_NUMBERS = QUOTE_FIELD_NAMES.filter(
  (name) => quoteField(name).screener,
) as ScreenerNumber[];

/** Texts of a security that screens filter by. */
export const SCREENER_TEXTS = ['sector', 'industry', 'country', 'exchange'] as const;

export type ScreenerText = (typeof SCREENER_TEXTS)[number];

/** Places of the texts that a row of a screen has, among those of the numbers. */
const TEXT_PLACES = { sector: 6, industry: 7 } as const satisfies Partial<
  Record<ScreenerText, number>
>;

/** A number of a screen's row, or one of its texts. */
export type ScreenerField =
  | { name: ScreenerNumber; isText: false }
  | { name: keyof typeof TEXT_PLACES; isText: true };

/** Fields of a screen's row behind `symbol` and `companyName`, in its order. */
export const SCREENER_ROW: readonly ScreenerField[] = [
  ...SCREENER_NUMBERS.map((name) => ({
    place: quoteField(name).screener!.place,
    field: { name, isText: false } as const,
  })),
  ...Object.entries(TEXT_PLACES).map(([name, place]) => ({
    place,
    field: { name: name as keyof typeof TEXT_PLACES, isText: true } as const,
  })),
]
  .sort((a, b) => a.place - b.place)
  .map(({ field }) => field);

/** The filters of a screen in their order, each with its column. */
export const SCREENER_FILTERS = SCREENER_NUMBERS.map((column) => ({
  column,
  ...quoteField(column).screener!.filter,
})).sort((a, b) => a.place - b.place);
