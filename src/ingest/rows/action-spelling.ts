/** Rows of corporate-actions files as vendors spell them, brought to the columns of the dataset. */

import { MalformedInputError, validOr } from '../../base/errors.ts';
import { dayFromDate } from '../../base/time/dates.ts';
import type { DateOrder } from '../contract/choices.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { symbolFromFileName } from '../names/file-name.ts';
import { isoStamp } from '../timing/iso-stamp.ts';
import { type SplitKind, sharesOfRow } from './action-shares.ts';
import { crspDistribution } from './crsp-distributions.ts';
import type { Fields, SpelledRow, Spelling } from './text-rows.ts';
import {
  declaredAmount,
  isOfYahoo,
  type LaterSplits,
  refuseDividendsAlone,
  yahooSplits,
} from './yahoo-actions.ts';

/** Names of columns, best first, as `columnKey` spells them. */
const NAMES = {
  symbol: ['symbol', 'ticker', 'code', 'actsymbol', 'symbole', 'simbolo', 'símbolo', 'kürzel'],
  type: ['type', 'action', 'event', 'kind', 'dividendtype', 'distributiontype', 'adjustmenttype'],
  exdate: [
    ...['exdate', 'exdividenddate', 'executiondate', 'effectivedate', 'ex/effdate', 'exoreffdate'],
    ...['exdt', 'exdivdate', 'extag', 'exdatum', 'exdividendentag', 'exdividenddatum'],
    ...['datededétachement', 'dateex', 'dateexdividende', 'dateducoupon', 'fechaex'],
    ...['fechaexdividendo', 'dataex', 'dataexdividendo', 'datastacco', 'datadistacco', 'date'],
  ],
  numerator: ['numerator', 'splitto', 'tofactor', 'newrate'],
  denominator: ['denominator', 'splitfrom', 'forfactor', 'fromfactor', 'oldrate'],
  ratio: ['ratio', 'split', 'splits', 'stocksplits', 'splitratio', 'splitfactor'],
  // EODHD's `value`, and what others call adjusted, is divided by later splits.
  amount: [
    ...['unadjustedvalue', 'unadjustedamount', 'amount', 'dividend', 'dividends'],
    ...['cashamount', 'divcash', 'dividendamount', 'distribution', 'divamt'],
    ...['dividende', 'dividendo', 'bruttodividende', 'betrag', 'montant', 'importe', 'importo'],
  ],
  gains: ['capitalgains'],
  currency: ['currency', 'ccy', 'currencycode', 'währung', 'devise', 'divisa', 'moneda', 'valuta'],
  status: ['status'],
  words: ['description', 'label'],
  // CRSP's code and factor of distributions.
  distribution: ['distcd'],
  factor: ['facpr'],
} as const;

type Name = keyof typeof NAMES;

const KNOWN: ReadonlySet<string> = new Set(Object.values(NAMES).flat());

const SPLIT_KINDS: Readonly<Record<string, SplitKind>> = {
  split: 'split',
  splits: 'split',
  stocksplit: 'split',
  sharesplit: 'split',
  forward: 'forward',
  reverse: 'reverse',
  forwardsplit: 'forward',
  forwardstocksplit: 'forward',
  reversesplit: 'reverse',
  reversestocksplit: 'reverse',
  stockdividend: 'stock dividend',
};

/** Words and codes for cash. `CD` and `SC` are Massive's, with `LT` and `ST` of funds. */
const DIVIDENDS: ReadonlySet<string> = new Set([
  ...['dividend', 'dividends', 'div', 'cash', 'cashdividend', 'cd', 'sc', 'lt', 'st'],
  ...['regular', 'regulardividend', 'recurring', 'irregular', 'supplemental', 'special'],
  ...['specialdividend', 'specialcash', 'specialcashdividend', 'capitalgain', 'capitalgains'],
  ...['dividende', 'bardividende', 'dividendo'],
]);

/** Frequencies of payments, which Investing.com has in place of their type. */
const FREQUENCY = /^(?:\d{1,2}M|monthly|quarterly|semi-?annual(?:ly)?|annual(?:ly)?)$/i;

const SPIN_OFFS: ReadonlySet<string> = new Set(['spinoff', 'demerger']);

const CANCELLED = /cancell?ed|withdrawn/;

/** An amount that only a decimal comma explains. */
const DECIMAL_COMMA = /^(?:0,\d+|\d+,(?:\d{1,2}|\d{4,}))$/;

/** The number of a row with a type that other columns do not name. */
const bareValue = (fields: Fields) =>
  has(fields, 'type') ? (fields.get('value')?.trim() ?? '') : '';

const UNKNOWN_VALUE =
  'its column "value" may be adjusted for later splits: name it "amount" if it is the cash as declared';

/** A gain may seem slightly greater than the dividend that contains it. */
const GAIN_ROUNDING = 1.0001;

const TWO_AMOUNTS =
  'its capital gains may be a part of the dividend or come on top: write what was paid in all as the dividend, and leave the gains empty';

/** A ratio or an amount in the rows of a wide table that says that there is none. */
const NOTHING = /^(0*\.?0*|1\.?0*|nan|null|n\/a|-)$/i;
const ZERO = /^(0*\.?0*|nan|null|n\/a|-)$/i;

/** Dates, with a time behind them or not. */
const YEAR_LAST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?=$|[ T])/;
const YEAR_FIRST = /^(\d{4})(?:[-/.](\d{1,2})[-/.](\d{1,2})|(\d{2})(\d{2}))(?=$|[ T])/;

/**
 * Returns the spelling of a file's rows.
 *
 * @param rows Reads the fields of all rows, for the order of dates such as 03/04/2024.
 * @param name Path of the file, which may name the only ticker.
 * @throws {MalformedInputError} nothing decides the order.
 */
export async function actionSpelling(
  rows: () => AsyncIterable<Fields>,
  options: Pick<SourceOptions, 'dateOrder' | 'symbol'>,
  name: string,
): Promise<Spelling> {
  const ofName = symbolOfCapitals(name);
  const asked = options.symbol ?? ofName;
  const order = options.dateOrder ?? (await dateOrderOf(rows()));
  const splits = await yahooSplits(rows(), (fields) => placeOf(fields, order, asked));
  const apart = await gainsApart(rows(), asked);
  // A column of another name may hold tickers.
  const isOfOne = (keys: readonly string[]) =>
    options.symbol !== undefined || (ofName !== undefined && keys.every((key) => KNOWN.has(key)));
  return {
    names: (keys) => {
      refuseDividendsAlone(keys);
      const named = (Object.keys(NAMES) as Name[]).filter((name) =>
        NAMES[name].some((key) => keys.includes(key)),
      );
      const isNamed = (name: Name, others: readonly Name[]) =>
        !named.includes(name) && others.some((other) => named.includes(other));
      const added: Name[] = [
        ...(isNamed('type', ['ratio', 'numerator', 'amount']) ? (['type'] as const) : []),
        ...(isNamed('symbol', ['exdate']) && isOfOne(keys) ? (['symbol'] as const) : []),
      ];
      const isOther = (key: string, at: number) => !KNOWN.has(key) || keys.indexOf(key) !== at;
      return [...named, ...added, ...keys.filter(isOther)];
    },
    isRead: (key) => KNOWN.has(key),
    rows: (fields) => spelledRows(fields, order, asked, { splits, apart }),
  };
}

/** Returns the ticker that a file or its folder is named after in capitals. */
function symbolOfCapitals(name: string): string | undefined {
  const symbol = validOr(() => symbolFromFileName(name), undefined);
  return symbol && name.includes(symbol.replace(/\..*/, '')) ? symbol : undefined;
}

/** Symbols with a gain above the dividend of its day, which so contains none: vendors write one way. */
async function gainsApart(rows: AsyncIterable<Fields>, asked?: string): Promise<Set<string>> {
  const symbols = new Set<string>();
  for await (const fields of rows) {
    if (!has(fields, 'gains')) break;
    const [paid, gain] = [textOf(fields, 'amount'), textOf(fields, 'gains')].map(Number);
    if (paid > 0 && gain > paid * GAIN_ROUNDING) symbols.add(placeOf(fields, 'ymd', asked).symbol);
  }
  return symbols;
}

/** Decides the order of dates by the ex-dates, and where each may be of both by all other dates. */
async function dateOrderOf(rows: AsyncIterable<Fields>): Promise<DateOrder> {
  const ofEx = new DateOrders();
  const ofAll = new DateOrders();
  for await (const fields of rows) {
    ofEx.add(textOf(fields, 'exdate'));
    for (const text of fields.values()) ofAll.add(text.trim());
  }
  const { shown, one } = ofEx;
  if (shown === undefined) return 'ymd';
  // A date with points begins with the day, unless others show the month there.
  const order = one ?? ofAll.one ?? (ofEx.fitsBoth && shown.includes('.') ? 'dmy' : undefined);
  if (order !== undefined) return order;
  throw new MalformedInputError(
    ofEx.fitsBoth
      ? `its dates like ${shown} may be of two orders: state it with --date-format mdy or dmy`
      : `its dates are of two orders: ${ofEx.exampleOf('mdy')}, ${ofEx.exampleOf('dmy')}`,
  );
}

/** Orders of day and month that dates of four-digit years may have. */
class DateOrders {
  readonly #found = new Map<'mdy' | 'dmy', string>();
  readonly #isFitting = { mdy: true, dmy: true };
  #shown: string | undefined;

  add(text: string): void {
    if (!YEAR_LAST.test(text)) return;
    for (const order of ['mdy', 'dmy'] as const) {
      if (isoDate(text, order) !== text) this.#found.set(order, text);
      else this.#isFitting[order] = false;
    }
    if (this.#found.size > 0) this.#shown ??= text;
  }

  /** A date; undefined if there is none. */
  get shown(): string | undefined {
    return this.#shown;
  }

  get fitsBoth(): boolean {
    return this.#isFitting.mdy && this.#isFitting.dmy;
  }

  /** The only order that fits all dates. */
  get one(): DateOrder | undefined {
    const { mdy, dmy } = this.#isFitting;
    return mdy === dmy ? undefined : mdy ? 'mdy' : 'dmy';
  }

  exampleOf(order: 'mdy' | 'dmy'): string | undefined {
    return this.#found.get(order);
  }
}

function textOf(fields: Fields, name: Name): string {
  for (const key of NAMES[name]) {
    const text = fields.get(key)?.trim();
    if (text) return text;
  }
  return '';
}

function has(fields: Fields, name: Name): boolean {
  return NAMES[name].some((key) => fields.has(key));
}

function placeOf(fields: Fields, order: DateOrder, asked = ''): { symbol: string; date: string } {
  const symbol = textOf(fields, 'symbol') || (has(fields, 'symbol') ? '' : asked);
  return { symbol, date: isoDate(textOf(fields, 'exdate'), order) };
}

/** A row of a wide table, with columns of both types and none of types, may be two or none. */
function spelledRows(
  fields: Fields,
  order: DateOrder,
  asked: string | undefined,
  { splits, apart }: { splits: LaterSplits; apart: ReadonlySet<string> },
): SpelledRow[] {
  const read = (name: Name) => textOf(fields, name);
  const { symbol, date } = placeOf(fields, order, asked);
  const base: Record<string, string> = { symbol, exdate: date };
  if (has(fields, 'type')) return [typedRow(fields, base)];
  if (has(fields, 'distribution')) return [crspRow(fields, base)];
  const isSplit = !NOTHING.test(read('ratio')) || read('numerator') !== '';
  const [isPaid, isGain] = [!ZERO.test(read('amount')), !ZERO.test(read('gains'))];
  const isSum = isPaid && isGain && apart.has(symbol);
  const sum = isSum && String(Number((Number(read('amount')) + Number(read('gains'))).toFixed(9)));
  const text = sum || read(isPaid ? 'amount' : 'gains');
  const amount = declaredAmount(text, { symbol, date }, splits);
  const declared =
    isOfYahoo(fields) || isGain ? new Map([...fields, ['dividends', amount]]) : fields;
  const paid = isPaid || isGain ? [paidRow(declared, base, 'dividend')] : [];
  const rows = [
    ...(isSplit ? [splitRow(fields, base, 'split')] : []),
    ...(isPaid && isGain && !isSum ? paid.map((row) => ({ ...row, reason: TWO_AMOUNTS })) : paid),
  ];
  return isCancelledBy(read('status')) ? rows.map(cancelledRow) : rows;
}

/** Returns the date of a text as `2026-01-31`; the text itself where it is no date. */
function isoDate(written: string, order: DateOrder): string {
  // `Mar 14, 2024` and `14-MAR-2024`.
  const text = /[a-z]{3}/i.test(written) ? (isoStamp(written)?.text ?? written) : written;
  const first = YEAR_FIRST.exec(text);
  const last = YEAR_LAST.exec(text);
  const parts = first
    ? [first[1], first[2] ?? first[4], first[3] ?? first[5]]
    : last && (order === 'dmy' ? [last[3], last[2], last[1]] : [last[3], last[1], last[2]]);
  const date = parts?.map((part) => part.padStart(2, '0')).join('-');
  return date !== undefined && validOr(() => dayFromDate(date), undefined) !== undefined
    ? date
    : text;
}

function typedRow(fields: Fields, base: Record<string, string>): SpelledRow {
  const stated = textOf(fields, 'type');
  const words = stated.toLowerCase().replace(/[^a-z]/g, '');
  const isCancelled = isCancelledBy(words) || isCancelledBy(textOf(fields, 'status'));
  const word = words.replace(CANCELLED, '');
  // A withdrawn one may leave out what it was.
  const isBare = isCancelled && word === '';
  const isOfShares = (['ratio', 'numerator'] as const).some((name) => textOf(fields, name) !== '');
  const kind = isBare && isOfShares ? 'split' : SPLIT_KINDS[word];
  const row =
    kind !== undefined
      ? splitRow(fields, base, kind)
      : SPIN_OFFS.has(word)
        ? paidRow(fields, base, 'spin-off')
        : DIVIDENDS.has(word) || FREQUENCY.test(stated) || isBare
          ? paidRow(fields, base, 'dividend')
          : { fields: new Map(Object.entries({ ...base, type: stated })) };
  return isCancelled ? cancelledRow(row) : row;
}

function crspRow(fields: Fields, base: Record<string, string>): SpelledRow {
  const [code, factor] = [textOf(fields, 'distribution'), textOf(fields, 'factor')];
  const found = crspDistribution(code, factor);
  if (found === undefined) {
    return { fields: new Map(Object.entries({ ...base, type: `DISTCD ${code}` })) };
  }
  return found.type === 'split'
    ? splitRow(new Map([...fields, ['ratio', found.ratio]]), base, 'split')
    : paidRow(fields, base, 'dividend');
}

const isCancelledBy = (text: string): boolean => CANCELLED.test(text.toLowerCase());

/** Returns the row that withdraws a split or dividend; that of another type stays, to be refused. */
function cancelledRow(row: SpelledRow): SpelledRow {
  const type = row.fields.get('type') ?? '';
  const withdrawn = { split: 'cancelled split', dividend: 'cancelled dividend' }[type];
  const isSpinOff = type === 'spin-off';
  if (withdrawn === undefined && !isSpinOff) return row;
  return { ...row, fields: new Map([...row.fields, ['type', withdrawn ?? 'cancelled dividend']]) };
}

function splitRow(fields: Fields, base: Record<string, string>, kind: SplitKind): SpelledRow {
  const [numerator, denominator, ratio, amount] = (
    ['numerator', 'denominator', 'ratio', 'amount'] as const
  ).map((name) => textOf(fields, name));
  const isStock = kind === 'stock dividend' && numerator === '' && ratio === '';
  const shares = sharesOfRow(kind, {
    ...{
      numerator,
      denominator,
      ratio: isStock ? amount : ratio || (numerator === '' ? bareValue(fields) : ''),
    },
    words: textOf(fields, 'words'),
    areFactors: !fields.has('numerator') && has(fields, 'numerator'),
    areNewAndOld: ['splitto', 'newrate'].some((key) => fields.has(key)),
  });
  const row = { ...base, type: 'split' };
  // A row of a wide table is read once more for its dividend.
  const isEmpty = isStock || ZERO.test(amount) || !has(fields, 'type');
  if (!shares) {
    return { fields: new Map(Object.entries({ ...row, amount })) };
  }
  if ('reason' in shares) return { fields: new Map(Object.entries(row)), reason: shares.reason };
  const { numerator: newShares, denominator: oldShares } = shares.shares;
  // A ratio of 1:1 changes nothing, so the split counts as cancelled.
  if (newShares === oldShares) {
    return { fields: new Map(Object.entries({ ...row, type: 'cancelled split' })) };
  }
  const texts = { numerator: String(newShares), denominator: String(oldShares) };
  const rest = isEmpty ? '' : amount;
  return { fields: new Map(Object.entries({ ...row, ...texts, amount: rest })) };
}

function paidRow(
  fields: Fields,
  base: Record<string, string>,
  type: 'dividend' | 'spin-off',
): SpelledRow {
  const ratio = textOf(fields, 'ratio');
  const isWide = !has(fields, 'type');
  const numerator = isWide ? '' : textOf(fields, 'numerator') || (NOTHING.test(ratio) ? '' : '1');
  const written = textOf(fields, 'amount').replace(/^\$ ?/, '');
  const reason = written === '' && bareValue(fields) !== '' ? UNKNOWN_VALUE : undefined;
  return {
    ...(reason && { reason }),
    fields: new Map(
      Object.entries({
        ...base,
        type,
        numerator,
        denominator: isWide ? '' : textOf(fields, 'denominator'),
        amount: DECIMAL_COMMA.test(written) ? written.replace(',', '.') : written,
        currency: textOf(fields, 'currency'),
      }),
    ),
  };
}
