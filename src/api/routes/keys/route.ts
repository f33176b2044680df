/**
 * API keys in the mode of the caller's key: `/svc/developer/keys` for those of the caller's
 * account, `/svc/accounts/…/keys` for the operator.
 */

import { z } from 'zod';
import { HttpError } from '../../../base/errors.ts';
import { quoted } from '../../../base/quoted.ts';
import type { ListPlace } from '../../../store/accounts/database/list-part.ts';
import type { KeyRow, OperatorKeyRow, ValidKey } from '../../../store/accounts/keys/key-record.ts';
import { SCOPE_NAMES, type Scope, scopesFromNames } from '../../../store/accounts/keys/scopes.ts';
import type { Route, RouteContract, RouteSources } from '../../contract/route.ts';
import { labelField } from '../../http/body.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { createResponse, jsonResponse, NO_STORE } from '../../http/response.ts';
import { listParameters, listResponse } from '../../responses/pages.ts';
import { accountPath } from '../accounts/route.ts';
import {
  accountKeysExample,
  createdKeySchema,
  KEY,
  keyPageSchema,
  keysExample,
  newAccountKeyExample,
  newKeyExample,
} from './schema.ts';

const SCOPE_CHOICES = ['all', ...SCOPE_NAMES] as const satisfies readonly ('all' | Scope)[];

const newKeyBody = z
  .strictObject({
    label: labelField,
    scopes: z
      .array(z.enum(SCOPE_CHOICES, { error: `must be one of ${SCOPE_CHOICES.join(', ')}` }), {
        error: 'must be a list of scopes',
      })
      .min(1, { error: 'must name at least one scope' })
      .max(SCOPE_CHOICES.length, { error: 'must name each scope once' })
      .describe('`all` stands for every scope except `ingest:write` and `accounts:write`.'),
  })
  .meta({ id: 'NewKey' });

const keyPath = z.strictObject({ keyId: z.string().min(1).describe('The `id` of a key.') });

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
    response: keyPageSchema,
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
    body: newKeyBody,
    isIdempotent: true,
    status: 201,
    response: createdKeySchema,
    errors: { 400: 'label must be a text of 1 to 100 characters, it is missing' },
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
    status: 204,
    errors: { 404: 'No key "key_2mVq8ZcX4TnB7LdYw5Rs" in sandbox mode' },
    examples: [{ title: 'Revoke a key', path: { keyId: KEY.id } }],
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
    path: accountPath.extend(keyPath.shape),
    examples: [{ title: 'Revoke a key of an account', path: { accountId: 'acme', keyId: KEY.id } }],
  },
};

/** @throws {HttpError} 403: the caller lacks a scope that the new key would have. */
function checkScopes(caller: ValidKey, names: readonly string[]): void {
  const missing = scopesFromNames(names).find((scope) => !caller.scopes.has(scope));
  if (missing === undefined) return;
  throw new HttpError(403, `API key lacks the scope "${missing}" that the new key would have`);
}

/** Returns a key as the specification lists it; `expiresAt` only for keys that expire. */
function ownRow(row: OperatorKeyRow): KeyRow & { expiresAt?: string } {
  const { id, keyPrefix, label, scopes, createdAt, lastUsedAt, revokedAt, expiresAt } = row;
  const shown = { id, keyPrefix, label, scopes, createdAt, lastUsedAt, revokedAt };
  return expiresAt === null ? shown : { ...shown, expiresAt };
}

/** @param account Returns the account whose keys the request is about. */
function routesOf(
  collection: string,
  scopes: Record<'read' | 'write', Scope>,
  contracts: KeyContracts,
  account: (context: AdmittedContext, sources: RouteSources) => string | Promise<string>,
): Route[] {
  const reading = { scope: scopes.read, tokens: 1, beyondQuota: true } as const;
  const writing = { ...reading, scope: scopes.write };
  return [
    {
      template: collection,
      access: reading,
      contract: contracts.list,
      async respond(context, sources) {
        const of = await account(context, sources);
        const read = (place: ListPlace) =>
          sources.accounts.listKeyPart(of, context.key.mode, place);
        return listResponse(sources, context, `keys ${of}`, read, ownRow);
      },
    },
    {
      method: 'POST',
      template: collection,
      access: writing,
      contract: contracts.create,
      async respond(context, sources) {
        const of = await account(context, sources);
        return sources.once(context, newKeyBody, async ({ label, scopes }, accounts) => {
          checkScopes(context.key, scopes);
          const { mode } = context.key;
          const limit = of === context.key.account ? context.key.ownLimit : undefined;
          const key = await accounts.createKey({ account: of, mode, label, scopes, limit });
          return jsonResponse(201, key, NO_STORE);
        });
      },
    },
    {
      method: 'DELETE',
      template: `${collection}/{keyId}`,
      access: writing,
      contract: contracts.revoke,
      async respond(context, sources) {
        const { key, params } = context;
        const of = await account(context, sources);
        if (!(await sources.accounts.revokeOwnKey(of, key.mode, params.keyId))) {
          throw new HttpError(404, `No key ${quoted(params.keyId)} in ${key.mode} mode`);
        }
        return createResponse(204, '', '');
      },
    },
  ];
}

export const keyRoutes = [
  ...routesOf(
    '/svc/developer/keys',
    { read: 'developer:read', write: 'developer:write' },
    OWN,
    ({ key }) => key.account,
  ),
  ...routesOf(
    '/svc/accounts/{accountId}/keys',
    { read: 'accounts:write', write: 'accounts:write' },
    OPERATED,
    async ({ params }, { accounts }) => {
      if (await accounts.findAccount(params.accountId)) return params.accountId;
      throw new HttpError(404, `No account ${quoted(params.accountId)}`);
    },
  ),
];
