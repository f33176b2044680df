/** A value that components follow. */

import { useEffect, useState } from 'preact/hooks';

export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** @returns a function that ends the subscription. */
  subscribe(listener: (value: T) => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<(value: T) => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener(value);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Renders the component again whenever the store's value changes. */
export function useStore<T>(store: Store<T>): T {
  const [, render] = useState<object>();
  const shown = store.get();
  useEffect(() => {
    const stop = store.subscribe(() => render({}));
    // The value may have changed between the rendering and this effect.
    if (!Object.is(store.get(), shown)) render({});
    return stop;
  }, [store]);
  return shown;
}
