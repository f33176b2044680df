import { useEffect, useState } from 'preact/hooks';
import type { Backfill } from '../../../clients/typescript/operations.js';
import { getJson, RequestFailure } from '../state/request.ts';

const POLL_MS = 1000;
/** Pause after a failed request; the backfill goes on meanwhile. */
const AGAIN_MS = 5000;

export interface Followed {
  backfill: Backfill | undefined;
  /** Failure of the newest request; undefined after a success. */
  failure: RequestFailure | undefined;
}

/** Follows a backfill until it has ended. */
export function useBackfill(id: string): Followed {
  const [followed, set] = useState<Followed>({ backfill: undefined, failure: undefined });
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        const backfill = await getJson<Backfill>(`v1/svc/backfills/${id}`, {}, abort.signal);
        set({ backfill, failure: undefined });
        if (backfill.endedAt === null) timer = setTimeout(look, POLL_MS);
      } catch (error) {
        if (!(error instanceof RequestFailure)) return;
        set((last) => ({ ...last, failure: error }));
        const waitMs = Math.max(AGAIN_MS, (error.retryAtMs ?? 0) - Date.now());
        timer = setTimeout(look, waitMs);
      }
    };
    look();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [id]);
  return followed;
}
