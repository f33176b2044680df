/** Events of the stream, for all parts of the page that want them. */

/** An event, or `stream.reset` where events are missing. */
export interface LiveEvent {
  type: string;
  timestamp?: string;
  data: Readonly<Record<string, unknown>>;
}

const listeners = new Set<(event: LiveEvent) => void>();

/** @returns a function that ends the subscription. */
export function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function tellListeners(event: LiveEvent): void {
  for (const listener of [...listeners]) listener(event);
}
