/** A request as the state of a component. */

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asFailure, type RequestFailure } from './request.ts';

export interface Requested<T> {
  /** The last value, also while a newer one is on its way; undefined before the first. */
  value: T | undefined;
  failure: RequestFailure | undefined;
  isLoading: boolean;
  /** Sends the request again. */
  retry: () => void;
  /** Sends the request again for newer data; if that fails, the value stays. */
  refresh: () => void;
}

interface Settled<T> {
  subject: string;
  key: string;
  value: T | undefined;
  failure: RequestFailure | undefined;
}

/**
 * Sends a request and follows its key: another key aborts the request and sends the next.
 *
 * @param subject The thing that is shown. A value of another subject is never shown in its place.
 * @param key Text of the request; undefined sends none.
 */
export function useRequest<T>(
  subject: string,
  key: string | undefined,
  send: (signal: AbortSignal) => Promise<T>,
): Requested<T> {
  const [settled, settle] = useState<Settled<T>>();
  const [attempt, setAttempt] = useState(0);
  const isRefresh = useRef(false);
  const whole = key === undefined ? undefined : `${key} ${attempt}`;
  useEffect(() => {
    if (whole === undefined) return;
    const abort = new AbortController();
    send(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) settle({ subject, key: whole, value, failure: undefined });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const failure = asFailure(error);
        const isKept = isRefresh.current && settled?.subject === subject && !settled.failure;
        settle(
          isKept ? { ...settled, key: whole } : { subject, key: whole, value: undefined, failure },
        );
      },
    );
    return () => abort.abort();
  }, [whole, subject]);
  const again = (isQuiet: boolean) => () => {
    isRefresh.current = isQuiet;
    setAttempt((count) => count + 1);
  };
  const retry = useCallback(again(false), []);
  const refresh = useCallback(again(true), []);
  const isOwn = settled?.subject === subject;
  return {
    value: isOwn ? settled.value : undefined,
    failure: isOwn && settled.key === whole ? settled.failure : undefined,
    isLoading: whole !== undefined && !(isOwn && settled.key === whole),
    retry,
    refresh,
  };
}
