import type { AdmittedContext } from './request-context.ts';

/** Returns a signal of the end of the client's connection. */
export function whenGone({ request }: AdmittedContext): AbortSignal {
  const gone = new AbortController();
  request.res?.once('close', () => gone.abort());
  return gone.signal;
}
