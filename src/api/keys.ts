/**
 * API keys: `/svc/developer/keys` for those of the caller's own account, `/svc/accounts/…/keys`
 * for the operator. Always of the caller's mode.
 */

import { z } from 'zod';
import { HttpError } from '../errors.ts';
import type { KeyRow, OperatorKeyRow, ValidKey } from '../store/accounts/key-record.ts';
import { scopesFromNames } from '../store/accounts/scopes.ts';
import { type Answer, createAnswer, jsonAnswer, NO_STORE } from './answer.ts';
import { labelField, scopesField } from './body-fields.ts';
import { createCursors } from './cursor.ts';
import { createIdempotent } from './idempotent.ts';
import { listAnswer, listParameters } from './list-answer.ts';
import { checkedQuery, noParameters } from './query.ts';
import type { AdmittedExchange, Route, RouteSources } from './route.ts';

export const newKeyBody = z.strictObject({ label: labelField, scopes: scopesField });

/** @throws {HttpError} 403: the caller lacks a scope that the new key would have. */
function checkScopes(caller: ValidKey, names: readonly string[]): void {
  const missing = scopesFromNames(names).find((scope) => !caller.scopes.has(scope));
  if (missing === undefined) return;
  throw new HttpError(403, `API key lacks the scope "${missing}" that the new key would have`);
}

/** As the specification lists it; `expiresAt` only where the plan gives keys an end. */
function ownRow(row: OperatorKeyRow): KeyRow & { expiresAt?: string } {
  const { id, keyPrefix, label, scopes, createdAt, lastUsedAt, revokedAt, expiresAt } = row;
  const shown = { id, keyPrefix, label, scopes, createdAt, lastUsedAt, revokedAt };
  return expiresAt === null ? shown : { ...shown, expiresAt };
}

export function keyRoutes({ accounts, cursorSecret, now }: RouteSources): Route[] {
  const cursors = createCursors<number>(cursorSecret, now);
  const once = createIdempotent(accounts);

  function created(exchange: AdmittedExchange, account: string): Promise<Answer> {
    checkedQuery(noParameters, exchange.query);
    return once(exchange, newKeyBody, ({ label, scopes }) => {
      checkScopes(exchange.key, scopes);
      const { mode } = exchange.key;
      return jsonAnswer(201, accounts.createKey({ account, mode, label, scopes }), NO_STORE);
    });
  }

  function listed({ key, query }: AdmittedExchange, account: string): Answer {
    const { limit, cursor } = checkedQuery(listParameters, query);
    const walk = { account: key.account, mode: key.mode, question: `keys ${account}` };
    const beforeSeq = cursor === undefined ? undefined : cursors.open(cursor, walk);
    accounts.flush();
    const part = accounts.listKeyPart(account, key.mode, { beforeSeq, limit });
    return listAnswer(part, ownRow, (lastSeq) => cursors.seal(walk, lastSeq));
  }

  function revoked({ key, query, params }: AdmittedExchange, account: string): Answer {
    checkedQuery(noParameters, query);
    if (!accounts.revokeOwnKey(account, key.mode, params.keyId)) {
      throw new HttpError(404, `No key "${params.keyId}" in ${key.mode} mode`);
    }
    return createAnswer(204, '', '');
  }

  /** @throws {HttpError} 404: the account in the path does not exist. */
  function accountOf({ params }: AdmittedExchange): string {
    if (accounts.findAccount(params.accountId)) return params.accountId;
    throw new HttpError(404, `No account "${params.accountId}"`);
  }

  function routes(collection: string, account: (exchange: AdmittedExchange) => string): Route[] {
    return [
      { template: collection, answer: (exchange) => listed(exchange, account(exchange)) },
      {
        method: 'POST',
        template: collection,
        answer: (exchange) => created(exchange, account(exchange)),
      },
      {
        method: 'DELETE',
        template: `${collection}/{keyId}`,
        answer: (exchange) => revoked(exchange, account(exchange)),
      },
    ];
  }

  return [
    ...routes('/svc/developer/keys', ({ key }) => key.account),
    ...routes('/svc/accounts/{accountId}/keys', accountOf),
  ];
}
