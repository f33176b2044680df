import { MalformedInputError, ParameterError } from '../../../base/errors.ts';
import type { FetchContext, FetchedRows } from '../../contract/fetch-context.ts';
import type { DryRun, VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { weekdaysBetween } from '../shared/edgar-archive.ts';
import { xmlTextFromBytes } from '../shared/parse-xml.ts';
import { withDays } from '../shared/partition.ts';
import { quartersBetween } from '../shared/quarters.ts';
import { SEC, secAsk } from '../shared/sec.ts';
import type { DayRange } from '../shared/vendor-days.ts';
import { daysOf } from './edgar-days.ts';
import { fetchForm4Files } from './files.ts';
import { form4Limits } from './limits.ts';
import { fetchForm4Online } from './online.ts';
import { parseEdgarAtom } from './parse-edgar-atom.ts';

/** Reads paths, or else the SEC. @throws as the two readers. */
function fetchForm4(options: SourceOptions, context: FetchContext): AsyncIterable<FetchedRows> {
  return options.paths?.length
    ? fetchForm4Files(options, context)
    : fetchForm4Online(options, context);
}

/** Usual number of Forms 4 and 5 a day. */
const FILINGS_PER_DAY = 1000;
const ROWS_PER_FILING = 3;
const ROWS_PER_QUARTER = 150_000;
/** Usual filings of an issuer a day, if only some issuers are requested. */
const FILINGS_PER_ISSUER_DAY = 0.2;

/** Counts quarters as data sets once they are over. */
function dryRun(options: SourceOptions, nowMs: number): DryRun {
  if (options.path !== undefined || options.paths?.length) {
    throw new ParameterError('plan', 'files on disk need no requests: leave out --plan');
  }
  const { from, to, today } = daysOf(options, nowMs);
  const { symbol, symbols = symbol === undefined ? undefined : [symbol] } = options;
  const filingsPerDay =
    symbols === undefined ? FILINGS_PER_DAY : Math.ceil(symbols.length * FILINGS_PER_ISSUER_DAY);
  const { requestsAtOnce } = form4Limits;
  const plan = { requests: 0, bars: 0, rows: 0, requestsAtOnce };
  for (const quarter of quartersBetween(from, to)) {
    if (quarter.lastDay < today) {
      plan.requests += 1;
      plan.rows += ROWS_PER_QUARTER;
      continue;
    }
    const days = weekdaysBetween(Math.max(from, quarter.firstDay), Math.min(to, today)).length;
    plan.requests += 1 + days * (1 + filingsPerDay);
    plan.rows += days * filingsPerDay * ROWS_PER_FILING;
  }
  return plan;
}

/** Splits by quarter once it is over, as it may come as one data set; the current one by day. */
function partition(options: SourceOptions, nowMs: number): SourceOptions[] {
  const { from, to, today } = daysOf(options, nowMs);
  return quartersBetween(from, to)
    .flatMap((quarter): DayRange[] => {
      const first = Math.max(quarter.firstDay, from);
      const last = Math.min(quarter.lastDay, to);
      if (quarter.lastDay < today) return [{ fromDay: first, toDay: last }];
      const days = weekdaysBetween(first, last);
      // The last partition includes today, even on days without filings.
      if (days.length === 0) return [{ fromDay: first, toDay: last }];
      return days.map((day, i) => ({
        fromDay: day,
        toDay: days[i + 1] === undefined ? last : day,
      }));
    })
    .map(({ fromDay, toDay }) => withDays(options, fromDay, toDay));
}

export const source: VendorCode = {
  fetch: fetchForm4,
  dryRun,
  partition,
  async probe({ http, settings }) {
    const query = { action: 'getcurrent', type: '4', owner: 'include', count: 10, output: 'atom' };
    const request = { ...secAsk(settings)(SEC, '/cgi-bin/browse-edgar'), query };
    const { text } = await http.get({ ...request, decode: xmlTextFromBytes });
    const { entryCount, refused } = parseEdgarAtom(text);
    if (refused.length > 0) throw new MalformedInputError(refused[0].reason);
    return entryCount;
  },
};
