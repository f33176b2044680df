/** The report, requested again every few seconds while the tab is visible. */

import { useEffect, useRef } from 'preact/hooks';
import type { OperatorReport } from '../../base/operator/report.ts';
import type { RequestFailure } from '../state/request.ts';
import { getJson } from '../state/request.ts';
import { useRequest } from '../state/use-request.ts';

const EVERY_MS = 5000;
/** While a run makes progress. */
const BUSY_EVERY_MS = 1500;
const AFTER_FAILURE_MS = 10_000;

export interface FollowedReport {
  /** The newest report; also shown while later requests fail. */
  report: OperatorReport | undefined;
  failure: RequestFailure | undefined;
  isLoading: boolean;
  refresh: () => void;
}

export function useReport(token: string): FollowedReport {
  const { value, failure, isLoading, retry } = useRequest(token, token, (signal) =>
    getJson<OperatorReport>('operator/status', {}, signal),
  );
  const newest = useRef<OperatorReport | undefined>(undefined);
  if (value) newest.current = value;
  useEffect(() => {
    // A limit counts down in its own box.
    if (isLoading || (failure && !newest.current)) return;
    const isBusy = value?.runs.some(({ state }) => state === 'running' || state === 'waiting');
    const waitMs = failure ? AFTER_FAILURE_MS : isBusy ? BUSY_EVERY_MS : EVERY_MS;
    const look = () => {
      if (document.visibilityState === 'visible') retry();
    };
    const timer = setTimeout(look, Math.max(waitMs, (failure?.retryAtMs ?? 0) - Date.now()));
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [isLoading, value, failure]);
  return { report: newest.current, failure, isLoading, refresh: retry };
}
