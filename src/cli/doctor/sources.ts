/** `doctor --sources`: one real request per configured source, and what came of it. */

import type { Settings } from '../../base/config/config.ts';
import {
  ConfigError,
  MalformedInputError,
  PlanNeededError,
  RateLimitedError,
  SourceBlockedError,
  SourceEmptyError,
  TapeworksError,
  UnknownSymbolError,
} from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';

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
  /** What the vendor said, or which field differs; no keys. */
  detail: string;
}

export async function probeSources(settings: Settings): Promise<SourceReport[]> {
  const [{ vendors }, { probeSource }, { HttpClient }] = await Promise.all([
    import('../../ingest/vendors/vendors.ts'),
    import('../../ingest/sources/sources.ts'),
    import('../../ingest/http/client.ts'),
  ]);
  // A caller in a hurry gets an error, not a wait, where a limit is used up.
  const http = new HttpClient(settings, { turnWaitMaxMs: limits.http.retryAfterMaxMs });
  const reports: SourceReport[] = [];
  try {
    for (const { id: source } of vendors) {
      try {
        const rows = await probeSource(source, { http, settings, nowMs: Date.now() });
        reports.push({ source, state: 'works', detail: `${rows} rows` });
      } catch (error) {
        if (!(error instanceof TapeworksError)) throw error;
        reports.push({ source, state: stateOf(error), detail: error.message });
      }
    }
  } finally {
    await http.close();
  }
  return reports;
}

function stateOf(error: TapeworksError): SourceState {
  if (error instanceof ConfigError) return 'not configured';
  if (error instanceof RateLimitedError || error instanceof SourceBlockedError) return 'blocked';
  if (error instanceof PlanNeededError) return 'needs plan';
  if (error instanceof MalformedInputError) return 'format changed';
  if (error instanceof SourceEmptyError || error instanceof UnknownSymbolError) return 'empty';
  return 'unavailable';
}
