/**
 * API keys: `/svc/developer/keys` for those of the caller's own account, `/svc/accounts/…/keys`
 * for the operator. Always of the caller's mode.
 */

import { z } from 'zod';
import { HttpError } from '../../../base/errors.ts';
import { quoted } from '../../../base/quoted.ts';
import type { KeyRow, OperatorKeyRow, ValidKey } from '../../../store/sqlite/keys/key-record.ts';
import { scopesFromNames } from '../../../store/sqlite/keys/scopes.ts';
import { createIdempotent } from '../../access/idempotent.ts';
import {
  accountKeysExample,
  keysExample,
  newAccountKeyExample,
  newKeyExample,
  revokedAccountKeyExample,
  revokedKeyExample,
} from '../../docs/examples/accounts.ts';
import type { RouteContract } from '../../docs/openapi/contract.ts';
import { labelField, scopesField } from '../../http/body-fields.ts';
import { accountKeyPath, accountPath, keyPath } from '../../http/path-fields.ts';
import { checkedQuery, noParameters } from '../../http/query.ts';
import { type Answer, createAnswer, jsonAnswer, NO_STORE } from '../../http/response.ts';
import type { AdmittedExchange, Route, RouteSources } from '../../http/route.ts';
import { createCursors } from '../../responses/cursor.ts';
import { listAnswer, listParameters } from '../../responses/list.ts';
import { createdKeySchema, keyPageSchema } from '../accounts/schemas.ts';

export const newKeyBody = z
  .strictObject({ label: labelField, scopes: scopesField })
  .meta({ id: 'NewKey' });

interface KeyContracts {
  list: RouteContract;
  create: RouteContract;
  revoke: RouteContract;
}

const OWN: KeyContracts = {
  list: {
    operationId: 'listKeys',
    tag: 'API keys',
    summary: 'List your keys',
    description:
      'Returns the keys of your account in the mode of your key, newest first, including revoked ' +
      'ones. The keys themselves are not stored.',
    query: listParameters,
    answer: keyPageSchema,
    examples: [keysExample],
  },
  create: {
    operationId: 'createKey',
    tag: 'API keys',
    summary: 'Create a key',
    description:
      'The new key belongs to your account and mode. It can only have scopes that your own key ' +
      "has (else 403), and it inherits your key's rate limit. `rawKey` is shown only in this " +
      'response. An account can have 1000 active keys in each mode.',
    query: noParameters,
    body: newKeyBody,
    isIdempotent: true,
    status: 201,
    answer: createdKeySchema,
    errors: {
      400: 'label must be a text of 1 to 100 characters, it is missing',
    },
    examples: [newKeyExample],
  },
  revoke: {
    operationId: 'revokeKey',
    tag: 'API keys',
    summary: 'Revoke a key',
    description:
      'The key stops working within a second. Revoking it again is 204 too. A key of another ' +
      'account or mode is 404.',
    path: keyPath,
    query: noParameters,
    status: 204,
    errors: { 404: 'No key "key_2mVq8ZcX4TnB7LdYw5Rs" in sandbox mode' },
    examples: [revokedKeyExample],
  },
};

const UNKNOWN_ACCOUNT = 'No account "acme"';

const OPERATED: KeyContracts = {
  list: {
    ...OWN.list,
    operationId: 'listAccountKeys',
    tag: 'Accounts',
    summary: 'List keys of an account',
    description:
      "Returns its keys in the mode of the caller's key, newest first, including revoked ones.",
    path: accountPath,
    errors: { ...OWN.list.errors, 404: UNKNOWN_ACCOUNT },
    examples: [accountKeysExample],
  },
  create: {
    ...OWN.create,
    operationId: 'createAccountKey',
    tag: 'Accounts',
    summary: 'Create a key for an account',
    description:
      "The new key has the mode of the caller's key. It can only have scopes that the caller's " +
      "key has and that the account's plan includes. `rawKey` is shown only in this response.",
    path: accountPath,
    errors: { ...OWN.create.errors, 404: UNKNOWN_ACCOUNT },
    examples: [newAccountKeyExample],
  },
  revoke: {
    ...OWN.revoke,
    operationId: 'revokeAccountKey',
    tag: 'Accounts',
    summary: 'Revoke a key of an account',
    path: accountKeyPath,
    examples: [revokedAccountKeyExample],
  },
};

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
      const limit = account === exchange.key.account ? exchange.key.ownLimit : undefined;
      return jsonAnswer(201, accounts.createKey({ account, mode, label, scopes, limit }), NO_STORE);
    });
  }

  function listed({ key, query }: AdmittedExchange, account: string): Answer {
    const { limit, cursor } = checkedQuery(listParameters, query);
    const walk = { account: key.account, mode: key.mode, question: `keys ${account}` };
    const beforeSeq = cursor === undefined ? undefined : cursors.open(cursor, walk);
    const part = accounts.listKeyPart(account, key.mode, { beforeSeq, limit });
    return listAnswer(part, ownRow, (lastSeq) => cursors.seal(walk, lastSeq));
  }

  function revoked({ key, query, params }: AdmittedExchange, account: string): Answer {
    checkedQuery(noParameters, query);
    if (!accounts.revokeOwnKey(account, key.mode, params.keyId)) {
      throw new HttpError(404, `No key ${quoted(params.keyId)} in ${key.mode} mode`);
    }
    return createAnswer(204, '', '');
  }

  /** @throws {HttpError} 404: the account in the path does not exist. */
  function accountOf({ params }: AdmittedExchange): string {
    if (accounts.findAccount(params.accountId)) return params.accountId;
    throw new HttpError(404, `No account ${quoted(params.accountId)}`);
  }

  function routes(
    collection: string,
    contracts: KeyContracts,
    account: (exchange: AdmittedExchange) => string,
  ): Route[] {
    return [
      {
        template: collection,
        contract: contracts.list,
        answer: (exchange) => listed(exchange, account(exchange)),
      },
      {
        method: 'POST',
        template: collection,
        contract: contracts.create,
        answer: (exchange) => created(exchange, account(exchange)),
      },
      {
        method: 'DELETE',
        template: `${collection}/{keyId}`,
        contract: contracts.revoke,
        answer: (exchange) => revoked(exchange, account(exchange)),
      },
    ];
  }

  return [
    ...routes('/svc/developer/keys', OWN, ({ key }) => key.account),
    ...routes('/svc/accounts/{accountId}/keys', OPERATED, accountOf),
  ];
}
