import { z } from 'zod';
import { type BarColumns, barRows, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { checkedResponse, malformed } from '../../http/checked-response.ts';
import { declaredDividends } from '../../values/declared-dividends.ts';
import { dayOfField, type VendorActions } from '../shared/vendor-actions.ts';
import { columnsFromBars, quantities } from '../shared/vendor-bars.ts';

const bar = z.object({ date: z.string(), ...quantities });
/** An amount or code, which is a number or a text depending on the endpoint. */
const amount = z.union([z.number(), z.string()]).nullish();
const code = z.union([z.string(), z.number()]).transform(String);
const word = z.string().nullish();
/** The code of each row; rows of a response about one symbol have none. */
const codeOf = (symbol: string | undefined) => (symbol === undefined ? code : code.default(symbol));

const SPLIT = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/;

type Bar = z.infer<typeof bar>;

function columnsOf(bars: readonly Bar[], title: string): BarColumns {
  const rows = bars.map(({ date, ...rest }) => ({
    startMs: dayOfField(date, 'date', title) * MILLIS_PER_DAY,
    ...rest,
  }));
  return columnsFromBars(rows, title);
}

/**
 * Parses bars of one symbol: prices are raw, volumes adjusted for splits.
 * @throws {MalformedInputError} the body is not bars; names the field.
 */
export function parseEodhdBars(text: string): BarColumns {
  const title = "EODHD's bars";
  return columnsOf(checkedResponse(text, z.array(bar), title), title);
}

/** Parses one raw bar of every symbol, by EODHD's code without the suffix of its exchange. */
export function parseEodhdDay(text: string): Map<string, BarColumns> {
  const title = "EODHD's bulk day";
  const rows = checkedResponse(text, z.array(bar.extend({ code })), title);
  const all = columnsOf(rows, title);
  return new Map(rows.map(({ code: name }, row) => [name, barRows(all, row, row + 1)]));
}

/** @param symbol Symbol of all rows; undefined for a day of the whole market. */
export function parseEodhdSplits(text: string, actions: VendorActions, symbol?: string): void {
  const title = symbol === undefined ? "EODHD's bulk splits" : "EODHD's splits";
  const row = z.object({ code: codeOf(symbol), date: z.string(), split: z.string() });
  for (const { code: name, date, split } of checkedResponse(text, z.array(row), title)) {
    const [, numerator, denominator] = SPLIT.exec(split) ?? [];
    if (numerator === undefined) throw malformed(title, `split: "${split}" is not like "4/1"`);
    const day = dayOfField(date, 'date', title);
    actions.addSplit(name, day, [Number(numerator), Number(denominator)], title);
  }
}

/**
 * Adds dividends as declared. Where EODHD states only an amount adjusted for later splits, these
 * are undone by the splits that `actions` has already.
 * @param symbol Symbol of all rows; undefined for a day of the whole market.
 */
export function parseEodhdDividends(text: string, actions: VendorActions, symbol?: string): void {
  const title = symbol === undefined ? "EODHD's bulk dividends" : "EODHD's dividends";
  const amounts = { value: amount, dividend: amount, unadjustedValue: amount };
  const named = { currency: word, declarationDate: word, recordDate: word, paymentDate: word };
  const row = z.object({
    code: codeOf(symbol),
    date: z.string(),
    ...amounts,
    ...named,
    period: word,
  });
  for (const one of checkedResponse(text, z.array(row), title)) {
    const exDay = dayOfField(one.date, 'date', title);
    const stated = amountOf(one.unadjustedValue ?? one.value ?? one.dividend, title);
    const { splits } = actions.of(one.code);
    const [{ amount: declared }] = declaredDividends([{ exDay, amount: stated }], splits);
    const paid = one.unadjustedValue == null ? declared : stated;
    const facts = [one.declarationDate, one.recordDate, one.paymentDate, one.period];
    const { code: name, currency } = one;
    actions.addDividend(name, { exDay, amount: paid, currency, facts });
  }
}

function amountOf(value: number | string | null | undefined, title: string): number {
  const number = Number(value ?? Number.NaN);
  if (Number.isFinite(number)) return number;
  throw malformed(title, `value: "${value}" is not an amount`);
}
