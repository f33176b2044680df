/** The states of a part without data: loading, failed, forbidden, rate-limited, empty. */

import { useEffect, useState } from 'preact/hooks';
import type { RequestFailure } from '../state/request.ts';
import { type Children, html } from './html.ts';

interface BoxProps {
  title: string;
  children?: Children;
  /** Announced at once, for failures. */
  isAlert?: boolean;
}

/** A part's message in place of its data: what is the case, and what to do. */
export function StateBox({ title, children, isAlert }: BoxProps) {
  return html`<div class="state" role=${isAlert ? 'alert' : 'status'}>
    <p class="state-title">${title}</p>
    ${children}
  </div>`;
}

/** Grey shapes of the size of what comes. */
export function Skeleton({ label, lines = 3 }: { label: string; lines?: number }) {
  const rows = Array.from({ length: lines }, (_, row) => html`<span key=${row} class="bone" />`);
  return html`<div class="skeleton" role="status" aria-label=${`Loading ${label}`}>${rows}</div>`;
}

const SCOPE = /\b([a-z]+:[a-z]+)\b/;

interface FailureProps {
  failure: RequestFailure;
  retry: () => void;
  /** The thing that can't be shown, within a sentence: `the chart`. */
  subject: string;
}

function secondsUntil(atMs: number): number {
  return Math.max(0, Math.ceil((atMs - Date.now()) / 1000));
}

/** Counts down to the moment at which the server accepts requests again, then sends it again. */
function RateLimited({ failure, retry, subject }: FailureProps) {
  const { retryAtMs = 0 } = failure;
  const [seconds, setSeconds] = useState(secondsUntil(retryAtMs));
  useEffect(() => {
    const timer = setInterval(() => {
      const left = secondsUntil(retryAtMs);
      setSeconds(left);
      if (left > 0) return;
      clearInterval(timer);
      retry();
    }, 1000);
    return () => clearInterval(timer);
  }, [retryAtMs]);
  return html`<${StateBox} title="The key's limit is reached" isAlert>
    <p>${failure.message}</p>
    <p>The page loads ${subject} again in <span class="figure">${seconds} s</span>.</p>
  <//>`;
}

/** Explains a failed request and offers the next step. */
export function FailureBox(props: FailureProps) {
  const { failure, retry, subject } = props;
  const { kind, message, requestId } = failure;
  if (kind === 'limited' && failure.retryAtMs !== undefined)
    return html`<${RateLimited} ...${props} />`;
  const id = requestId && html`<p class="quiet">Request <code>${requestId}</code></p>`;
  if (kind === 'forbidden') {
    const scope = SCOPE.exec(message)?.[1];
    return html`<${StateBox} title=${`This key can't read ${subject}`} isAlert>
      <p>${message}</p>
      ${
        scope &&
        html`<p>Create a key that has the scope: <code>npx tapeworks keys create --scopes ${scope},…</code></p>`
      }
      ${id}
    <//>`;
  }
  return html`<${StateBox} title=${`Could not load ${subject}`} isAlert>
    <p>${message}</p>
    ${kind === 'unreachable' && html`<p>Is it running? Start it with <code>npm start</code>.</p>`}
    ${id}
    ${kind !== 'not-found' && html`<p><button type="button" onClick=${retry}>Try again</button></p>`}
  <//>`;
}
