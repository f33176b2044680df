/** Fetches rows of filings one by one. */

import { MalformedInputError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import type { FetchContext, SkippedInput } from '../../contract/fetch-context.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import type { EdgarClient } from './edgar-client.ts';
import type { EdgarFiling } from './edgar-filing.ts';
import { rowsOfSubmission } from './files.ts';
import type { TickersByCik } from './issuer-symbol.ts';

export interface SubmittedDeps extends Pick<FetchContext, 'onProgress'> {
  edgar: Pick<EdgarClient, 'submission'>;
  tickersByCik: TickersByCik;
  /** Receives filings that no longer exist. */
  skipped: SkippedInput[];
}

/**
 * Sends several requests at a time, so that their pace is the limit and not their duration.
 *
 * @throws as `HttpClient.get`.
 */
export async function* submittedRows(
  filings: readonly EdgarFiling[],
  { edgar, tickersByCik, skipped, onProgress }: SubmittedDeps,
): AsyncGenerator<UncheckedRow> {
  const step = limits.form4.requestsAtOnce;
  for (let at = 0; at < filings.length; at += step) {
    onProgress?.('filings', at, filings.length);
    const some = filings.slice(at, at + step);
    const answers = await Promise.all(some.map(({ path }) => edgar.submission(path)));
    for (const [index, bytes] of answers.entries()) {
      const name = some[index].accession;
      if (bytes) yield* rowsOfOne(name, bytes, tickersByCik);
      else skipped.push({ name, reason: 'the SEC does not have it any more' });
    }
  }
  onProgress?.('filings', filings.length, filings.length);
}

function rowsOfOne(name: string, bytes: Buffer, tickersByCik: TickersByCik): UncheckedRow[] {
  try {
    const rows = rowsOfSubmission(bytes, tickersByCik);
    // Filings without transactions are usual and not reported.
    return typeof rows === 'string' ? [] : rows.map((row) => ({ ...row, name }));
  } catch (error) {
    if (!(error instanceof MalformedInputError)) throw error;
    return [{ name, reason: error.message }];
  }
}
