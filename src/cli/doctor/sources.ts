/** `doctor --sources`: sends one real request to each configured source. */

import type { Settings } from '../../base/config/config.ts';
import {
  ConfigError,
  MalformedInputError,
  RateLimitedError,
  SourceBlockedError,
  SourceEmptyError,
  SubscriptionNeededError,
  TapeworksError,
  UnknownSymbolError,
} from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { wallMs } from '../../base/world/clock.ts';

export type SourceState =
  | 'works'
  | 'blocked'
  | 'needs plan'
  | 'format changed'
  | 'empty'
  | 'unavailable'
  | 'not configured';

export interface SourceReport {
  source: string;
  state: SourceState;
  /** Message of the vendor, or the field that differs; never a key. */
  detail: string;
}

export async function probeSources(settings: Settings): Promise<SourceReport[]> {
  const [{ vendors }, { probeSource }, { HttpClient }] = await Promise.all([
    import('../../ingest/vendors/vendors.ts'),
    import('../../ingest/sources/sources.ts'),
    import('../../ingest/http/client.ts'),
  ]);
  // Fails at once if the rate limit is used up, instead of waiting.
  await using http = new HttpClient(settings, { paceWaitMaxMs: limits.http.retryAfterMaxMs });
  const reports: SourceReport[] = [];
  for (const { id: source } of vendors) {
    try {
      const rows = await probeSource(source, { http, settings, nowMs: wallMs() });
      reports.push({ source, state: 'works', detail: `${rows} rows` });
    } catch (error) {
      if (!(error instanceof TapeworksError)) throw error;
      reports.push({ source, state: stateOf(error), detail: error.message });
    }
  }
  return reports;
}

function stateOf(error: TapeworksError): SourceState {
  if (error instanceof ConfigError) return 'not configured';
  if (error instanceof RateLimitedError || error instanceof SourceBlockedError) return 'blocked';
  if (error instanceof SubscriptionNeededError) return 'needs plan';
  if (error instanceof MalformedInputError) return 'format changed';
  if (error instanceof SourceEmptyError || error instanceof UnknownSymbolError) return 'empty';
  return 'unavailable';
}
