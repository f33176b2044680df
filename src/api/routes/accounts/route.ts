/** `/svc/accounts`: accounts and their plans, for the operator (`accounts:write`). */

import { z } from 'zod';
import { HttpError, ParameterError } from '../../../base/errors.ts';
import { quoted } from '../../../base/quoted.ts';
import type { Account } from '../../../store/accounts/keys/account-record.ts';
import type { RouteAccess } from '../../access/admission.ts';
import type { Route } from '../../contract/route.ts';
import { checkedBody } from '../../http/body.ts';
import { type ApiResponse, jsonResponse, NO_STORE } from '../../http/response.ts';
import { listParameters, listResponse, onlyPage } from '../../responses/pages.ts';
import { accountChangeBody, newAccountBody, planFromBody } from './body.ts';
import { ACCOUNT, accountPageSchema, accountSchema, newAccountExample } from './schema.ts';

const access: RouteAccess = { scope: 'accounts:write', tokens: 1, beyondQuota: true };

export const accountPath = z.strictObject({
  accountId: z.string().min(1).describe('The `id` of an account.'),
});

/** Converts an account to JSON, as the API and the command line write it. */
export function jsonFromAccount({ id, label, plan, createdAt, suspendedAt }: Account) {
  const { rateLimit, tokensPerDay, scopes, keyDays } = plan;
  return {
    id,
    label,
    plan: {
      rateLimit: rateLimit && { requests: rateLimit.requests, windowSeconds: rateLimit.windowS },
      tokensPerDay,
      scopes,
      keyExpiryDays: keyDays,
    },
    suspended: suspendedAt !== null,
    createdAt,
    suspendedAt,
  };
}

function accountResponse(status: number, account: Account): ApiResponse {
  return jsonResponse(status, jsonFromAccount(account), NO_STORE);
}

function found(account: Account | undefined, id: string): Account {
  if (account) return account;
  throw new HttpError(404, `No account ${quoted(id)}`);
}

const listAccounts: Route = {
  template: '/svc/accounts',
  access,
  contract: {
    operationId: 'listAccounts',
    tag: 'Accounts',
    summary: 'List accounts',
    description: 'Newest first. An account covers both modes.',
    query: listParameters,
    response: accountPageSchema,
    examples: [{ title: 'All accounts', response: onlyPage([ACCOUNT]) }],
  },
  respond: (context, sources) =>
    listResponse(sources, context, 'accounts', sources.accounts.listAccounts, jsonFromAccount),
};

const createAccount: Route = {
  method: 'POST',
  template: '/svc/accounts',
  access,
  contract: {
    operationId: 'createAccount',
    tag: 'Accounts',
    summary: 'Create an account',
    description: 'Limits that the plan does not set are null.',
    body: newAccountBody,
    isIdempotent: true,
    status: 201,
    response: accountSchema,
    errors: { 400: 'label must be a text of 1 to 100 characters, it is missing' },
    examples: [newAccountExample],
  },
  respond: (context, { once }) =>
    once(context, newAccountBody, async ({ id, label, plan }, accounts) => {
      const account = { id, label, plan: planFromBody(plan) };
      return accountResponse(201, await accounts.createAccount(account));
    }),
};

const getAccount: Route = {
  template: '/svc/accounts/{accountId}',
  access,
  contract: {
    operationId: 'getAccount',
    tag: 'Accounts',
    summary: 'Get an account',
    description: 'Returns its plan and whether it is suspended.',
    path: accountPath,
    response: accountSchema,
    errors: { 404: 'No account "acme"' },
    examples: [{ title: 'One account', path: { accountId: ACCOUNT.id }, response: ACCOUNT }],
  },
  respond: async ({ params: { accountId } }, { accounts }) =>
    accountResponse(200, found(await accounts.findAccount(accountId), accountId)),
};

const changeAccount: Route = {
  method: 'PATCH',
  template: '/svc/accounts/{accountId}',
  access,
  contract: {
    operationId: 'changeAccount',
    tag: 'Accounts',
    summary: 'Change an account',
    description:
      'Fields that the body does not name keep their values; null removes a limit of the plan. ' +
      'You cannot suspend your own account.',
    path: accountPath,
    body: accountChangeBody,
    response: accountSchema,
    errors: {
      400: 'suspended must not be set for your own account',
      404: 'No account "acme"',
    },
    examples: [
      {
        title: 'Remove the daily token quota',
        path: { accountId: ACCOUNT.id },
        body: { plan: { tokensPerDay: null } },
        response: { ...ACCOUNT, plan: { ...ACCOUNT.plan, tokensPerDay: null } },
      },
    ],
  },
  async respond(context, { accounts }) {
    const { accountId } = context.params;
    const { label, plan, suspended } = await checkedBody(context, accountChangeBody);
    // The caller could not lift the suspension.
    if (suspended && accountId === context.key.account) {
      throw new ParameterError('suspended', 'suspended must not be set for your own account');
    }
    const change = { label, plan: planFromBody(plan), isSuspended: suspended };
    return accountResponse(200, found(await accounts.changeAccount(accountId, change), accountId));
  },
};

export const accountRoutes = [listAccounts, createAccount, getAccount, changeAccount];
