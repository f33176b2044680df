/** A server whose operator has a token, and requests of who has it. */

import { type Asked, type AskOptions, ask } from './ask.ts';

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

/** Settings of the server. */
export const OPERATOR_ENV = { TAPEWORKS_ADMIN_TOKEN: OPERATOR_TOKEN };

export const OPERATOR_HEADERS = { Authorization: `Bearer ${OPERATOR_TOKEN}` };

export function askAsOperator(url: string, options: AskOptions = {}): Promise<Asked> {
  return ask(url, { ...options, headers: { ...OPERATOR_HEADERS, ...options.headers } });
}
