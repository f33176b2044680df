/** Says in the header how old the data is, and whether the page follows it. */

import { useEffect, useState } from 'preact/hooks';
import { html } from '../parts/html.ts';
import { ageText, recentText } from '../parts/times.ts';
import type { Mode } from '../state/key.ts';
import { type DataState, getDataState } from '../state/request.ts';
import { useStore } from '../state/store.ts';
import { useRequest } from '../state/use-request.ts';
import { following, publishes } from './follow.ts';

const REDRAW_MS = 30_000;

/** Returns the state of the data, read again after each publish. */
export function useDataState(): DataState | undefined {
  const count = useStore(publishes);
  return useRequest('data state', `data state ${count}`, getDataState).value;
}

export function Freshness({ mode }: { mode: Mode }) {
  const data = useDataState();
  const { state, reason } = useStore(following);
  const [, redraw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => redraw((count) => count + 1), REDRAW_MS);
    return () => clearInterval(timer);
  }, []);
  const newest = data?.newestBars[mode];
  const isStale = data?.modes[mode] === 'stale';
  const isLost = state === 'waiting' || state === 'refused';
  const title = isLost
    ? `New data does not appear by itself: ${reason}`
    : 'New data appears by itself when it is published';
  const dot = html`<span class=${`dot ${state}`} aria-hidden="true" />`;
  return html`<p class=${isStale ? 'freshness stale' : 'freshness'} title=${title}>
    ${dot}<span role="status">${isLost && 'Not live'}</span>
    ${
      newest &&
      html`<span>${isStale ? 'Old: ' : ''}<span class="moment">${isStale ? '' : 'as of '}<time dateTime=${newest}>${recentText(newest)}</time>, </span>${ageText(Date.now() - Date.parse(newest))} ago</span>`
    }
  </p>`;
}
