import { z } from 'zod';
import { type BarColumns, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { UnknownSymbolError } from '../../../base/errors.ts';
import { checkedResponse } from '../../http/checked-response.ts';
import { dayOfField, type VendorActions } from '../shared/vendor-actions.ts';
import { columnsFromBars, quantities } from '../shared/vendor-bars.ts';

const prices = z.array(
  z.object({
    date: z.string(),
    ...quantities,
    divCash: z.number(),
    splitFactor: z.number(),
  }),
);

/**
 * @param symbol Name under which its splits and dividends are added to `actions`.
 * @throws {UnknownSymbolError} Tiingo says so, sometimes in a response of status 200.
 * @throws {MalformedInputError} the body is not prices; names the field.
 */
export function parseTiingoPrices(
  text: string,
  symbol: string,
  actions: VendorActions,
): BarColumns {
  const said = /^\s*\[\s*"(Error: [^"]*not found[^"]*)"/i.exec(text)?.[1];
  if (said) throw new UnknownSymbolError(symbol, `Tiingo does not know "${symbol}" (${said})`);
  const title = `Tiingo's prices of "${symbol}"`;
  const rows = checkedResponse(text, prices, title).map(
    ({ date, divCash, splitFactor, ...bar }) => {
      const day = dayOfField(date, 'date', title);
      actions.addDividend(symbol, { exDay: day, amount: divCash });
      actions.addSplit(symbol, day, [splitFactor, 1], title);
      return { startMs: day * MILLIS_PER_DAY, ...bar };
    },
  );
  return columnsFromBars(rows, title);
}
