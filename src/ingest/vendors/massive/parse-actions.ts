import { z } from 'zod';
import { checkedResponse } from '../../http/checked-response.ts';
import { dayOfField, type VendorActions } from '../shared/vendor-actions.ts';

const splitPage = z.object({
  results: z.array(
    z.object({
      ticker: z.string(),
      execution_date: z.string(),
      split_from: z.number().positive(),
      split_to: z.number().positive(),
    }),
  ),
  next_url: z.string().nullish(),
});

const dividendPage = z.object({
  results: z.array(
    z.object({
      ticker: z.string(),
      ex_dividend_date: z.string(),
      // As declared: Massive does not adjust dividends for later splits.
      cash_amount: z.number(),
      currency: z.string().nullish(),
      id: z.union([z.string(), z.number()]).nullish(),
      declaration_date: z.string().nullish(),
      record_date: z.string().nullish(),
      pay_date: z.string().nullish(),
      distribution_type: z.string().nullish(),
      frequency: z.number().nullish(),
    }),
  ),
  next_url: z.string().nullish(),
});

/** @returns the address of the next page, if any. */
export function parseMassiveSplits(text: string, actions: VendorActions): string | undefined {
  const title = "Massive's splits";
  const { results, next_url: next } = checkedResponse(text, splitPage, title);
  for (const { ticker, execution_date, split_from, split_to } of results) {
    const day = dayOfField(execution_date, 'execution_date', title);
    actions.addSplit(ticker, day, [split_to, split_from], title);
  }
  return next || undefined;
}

/** @returns the address of the next page, if any. */
export function parseMassiveDividends(text: string, actions: VendorActions): string | undefined {
  const title = "Massive's dividends";
  const { results, next_url: next } = checkedResponse(text, dividendPage, title);
  for (const { ticker, ex_dividend_date, cash_amount: amount, ...row } of results) {
    const exDay = dayOfField(ex_dividend_date, 'ex_dividend_date', title);
    const { currency, id, declaration_date, record_date, pay_date } = row;
    const dates = [declaration_date, record_date, pay_date];
    const facts = [...dates, row.distribution_type, row.frequency];
    actions.addDividend(ticker, { exDay, amount, currency, id, facts });
  }
  return next || undefined;
}
