/** The state of the page in its address, so that links, reload, back and forward keep it. */

import { createStore } from './store.ts';

const search = createStore(new URLSearchParams(location.search).toString());

addEventListener('popstate', () => search.set(new URLSearchParams(location.search).toString()));

export const address = search;

export function addressValue(name: string): string | undefined {
  return new URLSearchParams(search.get()).get(name) ?? undefined;
}

/** Values to set; undefined removes one. */
export type AddressChange = Readonly<Record<string, string | undefined>>;

/** Returns the query of a changed address, for links. */
export function changedQuery(change: AddressChange, isFresh = false): string {
  const params = new URLSearchParams(isFresh ? '' : search.get());
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) params.delete(name);
    else params.set(name, value);
  }
  // Colons and commas separate indicators and their parameters; they need no escape in a query.
  return params.toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
}

function show(query: string): void {
  search.set(new URLSearchParams(query).toString());
}

/** Goes to a changed address; back returns from it. */
export function go(change: AddressChange, isFresh = false): void {
  const query = changedQuery(change, isFresh);
  history.pushState(null, '', query === '' ? location.pathname : `?${query}`);
  show(query);
}

/** Changes the address in place, for what back need not undo. */
export function amend(change: AddressChange): void {
  const query = changedQuery(change);
  history.replaceState(null, '', query === '' ? location.pathname : `?${query}`);
  show(query);
}
