import { z } from 'zod';
import type { BarColumns } from '../../../base/bars.ts';
import { checkedResponse, malformed } from '../../http/checked-response.ts';
import {
  barStartMs,
  columnsFromBars,
  letterQuantities,
  type VendorInterval,
} from '../shared/vendor-bars.ts';

export interface AlpacaBars {
  /** Bars by Alpaca's symbol; a symbol without bars on the page is missing. */
  barsBySymbol: Map<string, BarColumns>;
  /** Token of the next page; undefined on the last one. */
  nextPageToken: string | undefined;
}

const page = z.object({
  // Null where no symbol has bars in the range.
  bars: z.record(z.string(), z.array(z.object({ t: z.string(), ...letterQuantities }))).nullish(),
  next_page_token: z.string().nullish(),
});

const TITLE = "Alpaca's bars";

export function parseAlpacaBars(text: string, interval: VendorInterval): AlpacaBars {
  const { bars, next_page_token: token } = checkedResponse(text, page, TITLE);
  if (bars === undefined) throw malformed(TITLE, 'bars: it is missing');
  const barsBySymbol = new Map<string, BarColumns>();
  for (const [symbol, rows] of Object.entries(bars ?? {})) {
    const vendorBars = rows.map(({ t, ...bar }, index) => {
      const momentMs = Date.parse(t);
      if (Number.isNaN(momentMs)) {
        throw malformed(TITLE, `bars.${symbol}.${index}.t: "${t}" is not a date-time`);
      }
      return { startMs: barStartMs(momentMs, interval), ...bar };
    });
    barsBySymbol.set(symbol, columnsFromBars(vendorBars, `${TITLE} of "${symbol}"`, true));
  }
  return { barsBySymbol, nextPageToken: token || undefined };
}
