/** `/svc/accounts`: accounts and their plans, for the operator (`accounts:write`). */

import { z } from 'zod';
import { HttpError, ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import type { Account, Plan } from '../../../store/sqlite/keys/account-record.ts';
import { SCOPE_NAMES } from '../../../store/sqlite/keys/scopes.ts';
import { createIdempotent } from '../../access/idempotent.ts';
import {
  accountChangeExample,
  accountExample,
  accountsExample,
  newAccountExample,
} from '../../docs/examples/accounts.ts';
import type { RouteContract } from '../../docs/openapi/contract.ts';
import { checkedBody } from '../../http/body.ts';
import { countField, labelField } from '../../http/body-fields.ts';
import { accountPath } from '../../http/path-fields.ts';
import { checkedQuery, noParameters } from '../../http/query.ts';
import { type Answer, jsonAnswer, NO_STORE } from '../../http/response.ts';
import type { Route, RouteSources } from '../../http/route.ts';
import { createCursors } from '../../responses/cursor.ts';
import { listAnswer, listParameters } from '../../responses/list.ts';
import { jsonFromAccount } from './json.ts';
import { accountPageSchema, accountSchema } from './schemas.ts';

const { requestsMax, windowMaxS, tokensMax } = limits.plan;

/** What is absent stays as it is; null takes the bound away. */
const planBody = z
  .strictObject(
    {
      rateLimit: z
        .strictObject(
          { requests: countField(1, requestsMax), windowSeconds: countField(1, windowMaxS) },
          { error: 'must be {requests, windowSeconds} or null' },
        )
        .nullable()
        .optional(),
      tokensPerDay: countField(0, tokensMax).nullable().optional(),
      scopes: z
        .array(z.enum(SCOPE_NAMES, { error: `must be one of ${SCOPE_NAMES.join(', ')}` }), {
          error: 'must be a list of scopes or null',
        })
        .min(1, { error: 'must name at least one scope' })
        .max(SCOPE_NAMES.length, { error: 'must name each scope once' })
        .nullable()
        .optional(),
      keyExpiryDays: countField(1, limits.key.daysMax).nullable().optional(),
    },
    { error: 'must be an object' },
  )
  .meta({
    id: 'PlanChange',
    description: 'Absent fields keep their values; null removes a limit.',
  });

export const newAccountBody = z
  .strictObject({
    id: z
      .string({ error: 'must be a text' })
      .meta({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' })
      .describe('A random one where it is absent; one that exists is 400.')
      .optional(),
    label: labelField,
    plan: planBody.optional(),
  })
  .meta({ id: 'NewAccount' });

export const accountChangeBody = z
  .strictObject({
    label: labelField.optional(),
    plan: planBody.optional(),
    suspended: z
      .boolean({ error: 'must be true or false' })
      .describe('Keys of a suspended account are answered 403.')
      .optional(),
  })
  .meta({ id: 'AccountChange' });

function planFromBody(body: z.infer<typeof planBody> | undefined): Partial<Plan> {
  if (!body) return {};
  const { rateLimit, tokensPerDay, scopes, keyExpiryDays } = body;
  const plan: Partial<Plan> = {};
  if (rateLimit !== undefined) {
    plan.rateLimit = rateLimit && {
      requests: rateLimit.requests,
      windowS: rateLimit.windowSeconds,
    };
  }
  if (tokensPerDay !== undefined) plan.tokensPerDay = tokensPerDay;
  if (scopes !== undefined) plan.scopes = scopes;
  if (keyExpiryDays !== undefined) plan.keyDays = keyExpiryDays;
  return plan;
}

function written(status: number, account: Account): Answer {
  return jsonAnswer(status, jsonFromAccount(account), NO_STORE);
}

function found(account: Account | undefined, id: string): Account {
  if (account) return account;
  throw new HttpError(404, `No account ${quoted(id)}`);
}

const LIST_ACCOUNTS: RouteContract = {
  operationId: 'listAccounts',
  tag: 'Accounts',
  summary: 'List accounts',
  description: 'Newest first. An account covers both modes.',
  query: listParameters,
  answer: accountPageSchema,
  examples: [accountsExample],
};

const CREATE_ACCOUNT: RouteContract = {
  operationId: 'createAccount',
  tag: 'Accounts',
  summary: 'Create an account',
  description: 'Limits that the plan does not set are null.',
  query: noParameters,
  body: newAccountBody,
  isIdempotent: true,
  status: 201,
  answer: accountSchema,
  errors: {
    400: 'label must be a text of 1 to 100 characters, it is missing',
  },
  examples: [newAccountExample],
};

const GET_ACCOUNT: RouteContract = {
  operationId: 'getAccount',
  tag: 'Accounts',
  summary: 'Get an account',
  description: 'Returns its plan and whether it is suspended.',
  path: accountPath,
  query: noParameters,
  answer: accountSchema,
  errors: { 404: 'No account "acme"' },
  examples: [accountExample],
};

const CHANGE_ACCOUNT: RouteContract = {
  operationId: 'changeAccount',
  tag: 'Accounts',
  summary: 'Change an account',
  description:
    'Fields that the body does not name keep their values; null removes a limit of the plan. ' +
    'You cannot suspend your own account.',
  path: accountPath,
  query: noParameters,
  body: accountChangeBody,
  answer: accountSchema,
  errors: {
    400: 'suspended must not be set for your own account',
    404: 'No account "acme"',
  },
  examples: [accountChangeExample],
};

export function accountRoutes({ accounts, cursorSecret, now }: RouteSources): Route[] {
  const cursors = createCursors<number>(cursorSecret, now);
  const once = createIdempotent(accounts);
  return [
    {
      template: '/svc/accounts',
      contract: LIST_ACCOUNTS,
      answer({ key: { account, mode }, query }) {
        const { limit, cursor } = checkedQuery(listParameters, query);
        const walk = { account, mode, question: 'accounts' };
        const beforeSeq = cursor === undefined ? undefined : cursors.open(cursor, walk);
        const part = accounts.listAccounts({ beforeSeq, limit });
        return listAnswer(part, jsonFromAccount, (lastSeq) => cursors.seal(walk, lastSeq));
      },
    },
    {
      method: 'POST',
      template: '/svc/accounts',
      contract: CREATE_ACCOUNT,
      async answer(exchange) {
        checkedQuery(noParameters, exchange.query);
        return once(exchange, newAccountBody, ({ id, label, plan }) =>
          written(201, accounts.createAccount({ id, label, plan: planFromBody(plan) })),
        );
      },
    },
    {
      template: '/svc/accounts/{accountId}',
      contract: GET_ACCOUNT,
      answer({ query, params: { accountId } }) {
        checkedQuery(noParameters, query);
        return written(200, found(accounts.findAccount(accountId), accountId));
      },
    },
    {
      method: 'PATCH',
      template: '/svc/accounts/{accountId}',
      contract: CHANGE_ACCOUNT,
      async answer(exchange) {
        checkedQuery(noParameters, exchange.query);
        const { accountId } = exchange.params;
        const { label, plan, suspended } = await checkedBody(exchange, accountChangeBody);
        // Nobody would be left to take it back.
        if (suspended && accountId === exchange.key.account) {
          throw new ParameterError('suspended', 'suspended must not be set for your own account');
        }
        const change = { label, plan: planFromBody(plan), isSuspended: suspended };
        return written(200, found(accounts.changeAccount(accountId, change), accountId));
      },
    },
  ];
}
