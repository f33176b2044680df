import type { VendorCode } from '../../contract/source.ts';
import { readableRowCount } from '../../rows/readable-rows.ts';
import { askWith } from '../shared/ask.ts';
import { analystSource } from '../shared/fetch-earnings.ts';
import { PROBE_SYMBOL } from '../shared/probe.ts';
import {
  parseFinnhubEarnings,
  parseFinnhubGrades,
  parseFinnhubRecommendations,
  parseFinnhubTargets,
} from './parse.ts';
import { vendor } from './vendor.ts';

export const source = {
  ...analystSource({
    vendor,
    refusesPaths: true,
    perSymbol: { requests: 3, rows: 100 },
    askEarnings: async ({ ask }, dates, asOfMs) =>
      parseFinnhubEarnings(await ask('/api/v1/calendar/earnings', dates), asOfMs),
    async askAnalysts({ ask, askIfIncluded }, symbol, asOfMs) {
      const aimed = await askIfIncluded('/api/v1/stock/price-target', { symbol });
      const targets = aimed === undefined ? undefined : parseFinnhubTargets(aimed, symbol);
      const counted = await ask('/api/v1/stock/recommendation', { symbol });
      const graded = await askIfIncluded('/api/v1/stock/upgrade-downgrade', { symbol });
      return {
        'analyst-consensus': parseFinnhubRecommendations(counted, symbol, { asOfMs, targets }),
        'upgrades-downgrades': graded === undefined ? [] : parseFinnhubGrades(graded, symbol),
      };
    },
  }),
  async probe({ http, settings, nowMs }) {
    const ask = askWith(http, vendor.host, settings);
    const text = await ask('/api/v1/stock/recommendation', { symbol: PROBE_SYMBOL });
    const now = { asOfMs: nowMs, targets: undefined };
    const rows = parseFinnhubRecommendations(text, PROBE_SYMBOL, now);
    return readableRowCount('analyst-consensus', rows, "Finnhub's recommendations");
  },
} satisfies VendorCode;
