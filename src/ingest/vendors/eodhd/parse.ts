import { z } from 'zod';
import { type BarColumns, barRows, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { checkedResponse, malformed } from '../../http/checked-response.ts';
import { dayOfField, type VendorActions } from '../shared/vendor-actions.ts';
import { columnsFromBars, quantities } from '../shared/vendor-bars.ts';

const bar = z.object({ date: z.string(), ...quantities });
/** An amount or code, which is a number or a text depending on the endpoint. */
const amount = z.union([z.number(), z.string()]).nullish();
const code = z.union([z.string(), z.number()]).transform(String);
const split = z.object({ date: z.string(), split: z.string() });
const dividend = z.object({ date: z.string(), value: amount, unadjustedValue: amount });
const dayDividend = z.object({ code, date: z.string(), dividend: amount, unadjustedValue: amount });

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

export function parseEodhdSplits(text: string, symbol: string, actions: VendorActions): void {
  const title = "EODHD's splits";
  for (const row of checkedResponse(text, z.array(split), title)) {
    addSplit(row, symbol, actions, title);
  }
}

export function parseEodhdDaySplits(text: string, actions: VendorActions): void {
  const title = "EODHD's bulk splits";
  for (const row of checkedResponse(text, z.array(split.extend({ code })), title)) {
    addSplit(row, row.code, actions, title);
  }
}

/** Adds dividends as declared, where EODHD states them, else adjusted for later splits. */
export function parseEodhdDividends(text: string, symbol: string, actions: VendorActions): void {
  const title = "EODHD's dividends";
  for (const row of checkedResponse(text, z.array(dividend), title)) {
    const paid = amountOf(row.unadjustedValue ?? row.value, title);
    actions.addDividend(symbol, dayOfField(row.date, 'date', title), paid);
  }
}

export function parseEodhdDayDividends(text: string, actions: VendorActions): void {
  const title = "EODHD's bulk dividends";
  for (const row of checkedResponse(text, z.array(dayDividend), title)) {
    const paid = amountOf(row.unadjustedValue ?? row.dividend, title);
    actions.addDividend(row.code, dayOfField(row.date, 'date', title), paid);
  }
}

function addSplit(
  row: z.infer<typeof split>,
  symbol: string,
  actions: VendorActions,
  title: string,
): void {
  const [, numerator, denominator] = SPLIT.exec(row.split) ?? [];
  if (numerator === undefined) throw malformed(title, `split: "${row.split}" is not like "4/1"`);
  const day = dayOfField(row.date, 'date', title);
  actions.addSplit(symbol, day, Number(numerator) / Number(denominator), title);
}

function amountOf(value: number | string | null | undefined, title: string): number {
  const number = Number(value ?? Number.NaN);
  if (Number.isFinite(number)) return number;
  throw malformed(title, `value: "${value}" is not an amount`);
}
