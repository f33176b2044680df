import type { VendorCode } from '../../contract/source.ts';
import { readableRowCount } from '../../rows/readable-rows.ts';
import { askWith } from '../shared/ask.ts';
import { analystSource } from '../shared/fetch-earnings.ts';
import { PROBE_SYMBOL } from '../shared/probe.ts';
import { eodhdSymbol } from '../shared/vendor-symbols.ts';
import { parseFmpConsensus, parseFmpEarnings, parseFmpGrades, parseFmpTargets } from './parse.ts';
import { vendor } from './vendor.ts';

const NOTHING = '[]';

export const source = {
  ...analystSource({
    vendor,
    // The free subscription includes every path, for some symbols.
    refusesPaths: false,
    perSymbol: { requests: 4, rows: 1000 },
    async askEarnings({ askIfIncluded }, dates, asOfMs) {
      const body = await askIfIncluded('/stable/earnings-calendar', dates);
      return parseFmpEarnings(body ?? NOTHING, asOfMs);
    },
    async askAnalysts({ askIfIncluded }, symbol, asOfMs) {
      // Hyphens for classes, as with EODHD; for preferred shares that is not confirmed.
      const query = { symbol: eodhdSymbol(symbol) };
      const ask = async (path: string) => (await askIfIncluded(path, query)) ?? NOTHING;
      const countsBody = await ask('/stable/grades-consensus');
      const targetsBody = await ask('/stable/price-target-consensus');
      return {
        'analyst-consensus': parseFmpConsensus({ countsBody, targetsBody }, symbol, asOfMs),
        'upgrades-downgrades': parseFmpGrades(await ask('/stable/grades'), symbol),
        'analyst-targets': parseFmpTargets(await ask('/stable/price-target-news'), symbol),
      };
    },
  }),
  async probe({ http, settings }) {
    const ask = askWith(http, vendor.host, settings);
    const rows = parseFmpGrades(
      await ask('/stable/grades', { symbol: PROBE_SYMBOL }),
      PROBE_SYMBOL,
    );
    return readableRowCount('upgrades-downgrades', rows, "FMP's grades");
  },
} satisfies VendorCode;
