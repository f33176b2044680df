import { createStore } from './store.ts';

/** Number of times that the data of this server was changed by this tab. */
export const refreshes = createStore(0);

/** Lets all views load their data again. */
export function refresh(): void {
  refreshes.set(refreshes.get() + 1);
}
