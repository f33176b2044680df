/** The API key of this tab. It is in the tab's storage and in no address, cookie or other tab. */

import { createStore } from './store.ts';

const STORED_AS = 'tapeworks-key';
const KEY = /^svc_(live|test)_\S+$/;

export type Mode = 'live' | 'sandbox';

export interface Session {
  /** Undefined while signed out. */
  key: string | undefined;
  /** Reason of the last sign-out by the server, for the sign-in form. */
  notice: string | undefined;
  /** Key of a link, while the tab is signed in with another one. */
  offered?: string | undefined;
}

export const session = createStore<Session>({ key: undefined, notice: undefined });

/** Returns the mode that a key's prefix names; undefined for text that is no key. */
export function modeOfKey(key: string): Mode | undefined {
  const prefix = KEY.exec(key)?.[1];
  if (prefix === undefined) return undefined;
  return prefix === 'live' ? 'live' : 'sandbox';
}

/** Returns true while the tab reads live data; the sandbox can't be loaded from sources. */
export function isLive(): boolean {
  return modeOfKey(session.get().key ?? '') === 'live';
}

/**
 * Takes the key out of the address, once, or out of the tab's storage. A link never replaces the
 * key of a tab by itself: someone may have sent it.
 */
export function openSession(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (given !== null) history.replaceState(null, '', location.pathname + location.search);
  const held = session.get().key ?? sessionStorage.getItem(STORED_AS) ?? undefined;
  const key = given ?? held;
  if (key === undefined) return;
  if (given !== null && held !== undefined && given !== held) {
    session.set({ key: held, notice: undefined, offered: modeOfKey(given) && given });
    return;
  }
  if (modeOfKey(key)) signIn(key);
  else signOut('The link has no valid key: a key starts with svc_live_ or svc_test_.');
}

export function signIn(key: string): void {
  sessionStorage.setItem(STORED_AS, key);
  session.set({ key, notice: undefined });
}

export function declineOffer(): void {
  session.set({ ...session.get(), offered: undefined });
}

/** @param notice Reason, if the person did not ask for it. */
export function signOut(notice?: string): void {
  sessionStorage.removeItem(STORED_AS);
  session.set({ key: undefined, notice });
}
