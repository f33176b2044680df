/** The operator's token of this tab, kept as its key is: in the tab's storage and nowhere else. */

import { createStore } from './store.ts';

const STORED_AS = 'tapeworks-operator-token';

export interface OperatorSession {
  /** Undefined until the person gives it. */
  token: string | undefined;
  /** Reason why the server refused the last one. */
  notice: string | undefined;
}

export const operatorSession = createStore<OperatorSession>({
  token: sessionStorage.getItem(STORED_AS) ?? undefined,
  notice: undefined,
});

export function keepToken(token: string): void {
  sessionStorage.setItem(STORED_AS, token);
  operatorSession.set({ token, notice: undefined });
}

/** @param notice Reason, if the person did not ask for it. */
export function forgetToken(notice?: string): void {
  sessionStorage.removeItem(STORED_AS);
  operatorSession.set({ token: undefined, notice });
}
