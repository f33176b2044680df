/**
 * Usage by day in the mode of the caller's key: `/svc/developer/usage/daily` for the caller's
 * account, `/svc/accounts/usage/daily` for the operator, with rows per key.
 */

import { z } from 'zod';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { dateFromDay, dayFromDate, dayFromMillis } from '../../../base/time/dates.ts';
import type { UsageRow } from '../../../store/accounts/usage/usage-report.ts';
import type { Route } from '../../contract/route.ts';
import { CONTENT_TYPES, chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { checkedQuery } from '../../http/query.ts';
import { choiceField, dateField, formatField, textField } from '../../http/query-fields.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { type ApiResponse, createResponse, PRIVATE_HEADERS } from '../../http/response.ts';
import { tableFromRows } from '../../responses/record-pages.ts';
import { tableResponse } from '../../responses/table-response.ts';
import {
  accountUsageRowSchema,
  accountUsageSchema,
  USAGE,
  usageRowSchema,
  usageSchema,
} from './schema.ts';

const OWN_PATH = '/svc/developer/usage/daily';
const ALL_PATH = '/svc/accounts/usage/daily';

/** Templates of these routes. */
export const USAGE_PATHS = [OWN_PATH, ALL_PATH];

/** @param endpoints Choices of the parameter `endpoint`. */
function usageParameters(endpoints: readonly string[]) {
  return z.strictObject({
    from: dateField.describe('First day in UTC; default: 30 days up to `to`.').optional(),
    to: dateField.describe('Last day in UTC; default: today.').optional(),
    endpoint: choiceField(endpoints)
      .describe('A path of this description; `(none)` stands for all others.')
      .optional(),
    key_id: textField('must be the id of a key')
      .describe('One key; an unknown one has no rows.')
      .optional(),
    format: formatField.optional(),
  });
}

type UsageQuery = z.infer<ReturnType<typeof usageParameters>>;

/** Converts a query to a filter; default: the last 30 days up to `to`, which is today. */
function filterOf({ from, to, endpoint, key_id: keyId }: UsageQuery, nowMs: number) {
  const toDay = to === undefined ? dayFromMillis(nowMs) : dayFromDate(to, 'to');
  const fromDay =
    from === undefined ? toDay - limits.usage.daysDefault + 1 : dayFromDate(from, 'from');
  if (fromDay > toDay) {
    const last = dateFromDay(toDay);
    throw new ParameterError('from', `from must not be after to "${last}", got "${from}"`);
  }
  // One row more than the limit shows that there are too many.
  const rowsMax = limits.usage.rowsMax + 1;
  return { fromDay, toDay, rowsMax, ...(endpoint && { endpoint }), ...(keyId && { keyId }) };
}

function checkCount(rows: readonly UsageRow[]): void {
  const { rowsMax } = limits.usage;
  if (rows.length <= rowsMax) return;
  throw new ParameterError('from', `from and to must span at most ${rowsMax} rows of usage`);
}

function usageResponse(
  rows: readonly UsageRow[],
  record: z.ZodObject,
  format: Format,
): ApiResponse | Promise<ApiResponse> {
  checkCount(rows);
  const data = rows.map((row) => ({ ...row, day: dateFromDay(row.day) }));
  if (format !== 'json') {
    return tableResponse(tableFromRows(data, record, 'date'), format, PRIVATE_HEADERS);
  }
  return createResponse(200, CONTENT_TYPES.json, JSON.stringify({ data }), PRIVATE_HEADERS);
}

/** Parses a query each time: without `to` it means today. */
function parsed<T extends UsageQuery>(
  schema: z.ZodType<T>,
  { key, query, headers }: AdmittedContext,
  nowMs: number,
) {
  const parameters = checkedQuery(schema, query);
  const format = chosenFormat(parameters.format, headers.accept, FORMATS);
  return { parameters, format, filter: { ...filterOf(parameters, nowMs), mode: key.mode } };
}

/** @param endpoints Endpoints that usage is counted by. */
export function usageRoutes(endpoints: readonly string[]): Route[] {
  const ownParameters = usageParameters(endpoints);
  const allParameters = ownParameters.extend({
    account: textField('must be the id of an account')
      .describe('One account; an unknown one has no rows.')
      .optional(),
  });
  const own: Route = {
    template: OWN_PATH,
    access: { scope: 'developer:read', tokens: 1, beyondQuota: true },
    contract: {
      operationId: 'getUsage',
      tag: 'Usage',
      summary: 'List daily usage',
      description:
        "In ascending order, in the mode of the caller's key. Every request with a valid key " +
        'counts once, including refused ones, and shows within a second. Errors are statuses ' +
        'from 400 up. A query for more than 50,000 rows gets 400.',
      query: ownParameters,
      response: usageSchema,
      formats: FORMATS,
      errors: { 400: 'from must not be after to "2026-11-18", got "2026-11-19"' },
      examples: [
        {
          title: 'One path on one day',
          query: { from: '2026-11-18', to: '2026-11-18', endpoint: USAGE.endpoint },
          response: { data: [USAGE] },
        },
      ],
    },
    async respond(context, { accounts, now }) {
      const { format, filter } = parsed(ownParameters, context, now());
      const rows = await accounts.dailyUsage({ ...filter, account: context.key.account });
      return usageResponse(rows, usageRowSchema, format);
    },
  };
  const all: Route = {
    template: ALL_PATH,
    access: { scope: 'accounts:write', tokens: 1, beyondQuota: true },
    contract: {
      ...own.contract,
      operationId: 'getAccountUsage',
      tag: 'Accounts',
      summary: 'List daily usage of all accounts',
      description:
        "As `/svc/developer/usage/daily`, in the mode of the caller's key, with rows per key.",
      query: allParameters,
      response: accountUsageSchema,
      examples: [
        {
          title: 'An account on one day',
          query: { from: '2026-11-18', to: '2026-11-18', account: 'acme' },
          response: { data: [{ account: 'acme', keyId: 'key_2mVq8ZcX4TnB7LdYw5Rs', ...USAGE }] },
        },
      ],
    },
    async respond(context, { accounts, now }) {
      const { parameters, format, filter } = parsed(allParameters, context, now());
      const { account } = parameters;
      const rows = await accounts.dailyKeyUsage({ ...filter, ...(account && { account }) });
      return usageResponse(rows, accountUsageRowSchema, format);
    },
  };
  return [own, all];
}
