import { z } from 'zod';
import { checkedResponse } from '../../http/checked-response.ts';
import { dayOfField, type VendorActions } from '../shared/vendor-actions.ts';

const split = z.object({
  symbol: z.string(),
  new_rate: z.number(),
  old_rate: z.number(),
  ex_date: z.string(),
});

const page = z.object({
  corporate_actions: z.object({
    forward_splits: z.array(split).optional(),
    reverse_splits: z.array(split).optional(),
    stock_dividends: z
      .array(z.object({ symbol: z.string(), rate: z.number(), ex_date: z.string() }))
      .optional(),
    cash_dividends: z
      .array(
        z.object({
          symbol: z.string(),
          rate: z.number(),
          ex_date: z.string(),
          currency: z.string().nullish(),
          id: z.string().nullish(),
          special: z.boolean().nullish(),
          record_date: z.string().nullish(),
          payable_date: z.string().nullish(),
        }),
      )
      .optional(),
  }),
  next_page_token: z.string().nullish(),
});

const TITLE = "Alpaca's corporate actions";

/** Kinds of actions to request: those that move a price on its ex-date. */
export const ALPACA_ACTION_TYPES = 'forward_split,reverse_split,stock_dividend,cash_dividend';

/**
 * Adds a page to `actions`. A stock dividend of 5 % is a split of 1.05 for 1.
 * @returns the token of the next page; undefined on the last one.
 */
export function parseAlpacaActions(text: string, actions: VendorActions): string | undefined {
  const { corporate_actions: kinds, next_page_token: token } = checkedResponse(text, page, TITLE);
  for (const { symbol, new_rate, old_rate, ex_date } of [
    ...(kinds.forward_splits ?? []),
    ...(kinds.reverse_splits ?? []),
  ]) {
    const day = dayOfField(ex_date, 'ex_date', TITLE);
    actions.addSplit(symbol, day, [new_rate, old_rate], TITLE);
  }
  for (const { symbol, rate, ex_date } of kinds.stock_dividends ?? []) {
    actions.addSplit(symbol, dayOfField(ex_date, 'ex_date', TITLE), [1 + rate, 1], TITLE);
  }
  for (const { symbol, rate: amount, ex_date, ...row } of kinds.cash_dividends ?? []) {
    const exDay = dayOfField(ex_date, 'ex_date', TITLE);
    const facts = [row.special, row.record_date, row.payable_date];
    const { currency, id } = row;
    actions.addDividend(symbol, { exDay, amount, currency, id, facts });
  }
  return token || undefined;
}
