import { z } from 'zod';
import { type BarColumns, barRows } from '../../../base/bars.ts';
import { SourceUnavailableError } from '../../../base/errors.ts';
import { checkedResponse, malformed } from '../../http/checked-response.ts';
import {
  barStartMs,
  columnsFromBars,
  letterQuantities,
  type VendorInterval,
} from '../shared/vendor-bars.ts';

const bar = z.object({
  t: z.number().int().min(0).max(4_102_444_800_000),
  ...letterQuantities,
  // The volume with fractions of a share, as text; `v` may be rounded.
  dv: z.union([z.string(), z.number()]).nullish(),
});

const envelope = {
  status: z.string().optional(),
  error: z.string().optional(),
  resultsCount: z.number().optional(),
};

const symbolAnswer = z.object({
  ...envelope,
  adjusted: z.boolean().optional(),
  results: z.array(bar).nullish(),
  next_url: z.string().nullish(),
});

const marketAnswer = z.object({
  ...envelope,
  adjusted: z.boolean().optional(),
  results: z.array(bar.extend({ T: z.string().min(1) })).nullish(),
});

function vendorBar(row: z.infer<typeof bar>, interval: VendorInterval, title: string) {
  const { t, dv, v, ...prices } = row;
  return { startMs: barStartMs(t, interval), ...prices, v: volumeFromText(dv, title) ?? v };
}

function volumeFromText(dv: string | number | null | undefined, title: string): number | undefined {
  if (dv === null || dv === undefined || dv === '') return undefined;
  const volume = Number(dv);
  if (Number.isFinite(volume)) return volume;
  throw malformed(title, `dv: "${dv}" is not a number`);
}

/** Parses bars of one symbol. @throws {MalformedInputError} not raw aggregates; names the field. */
export function parseMassiveBars(
  text: string,
  interval: VendorInterval,
): { bars: BarColumns; nextUrl: string | undefined } {
  const title = "Massive's aggregates";
  const answer = checkedResponse(text, symbolAnswer, title);
  checkEnvelope(answer, title);
  const rows = (answer.results ?? []).map((row) => vendorBar(row, interval, title));
  return { bars: columnsFromBars(rows, title, true), nextUrl: answer.next_url || undefined };
}

/** Parses one daily bar of every symbol; empty on a day without a session. */
export function parseMassiveDay(text: string): Map<string, BarColumns> {
  const title = "Massive's grouped day";
  const answer = checkedResponse(text, marketAnswer, title);
  checkEnvelope(answer, title);
  const results = answer.results ?? [];
  // A field may be missing from a bar, but not from all of them.
  const all = columnsFromBars(
    results.map((row) => vendorBar(row, '1d', title)),
    title,
    true,
  );
  return new Map(results.map(({ T }, row) => [T, barRows(all, row, row + 1)]));
}

function checkEnvelope(
  { status, error, adjusted, results, resultsCount }: z.infer<typeof symbolAnswer>,
  title: string,
): void {
  if (status === 'ERROR') {
    throw new SourceUnavailableError(`Massive is not available: it says "${error ?? status}"`);
  }
  if (adjusted === true)
    throw malformed(title, 'adjusted: it is true, and raw bars were asked for');
  if (!results && resultsCount !== 0) throw malformed(title, 'results: it is missing');
}
