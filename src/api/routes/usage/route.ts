/**
 * Usage by day: `/svc/developer/usage/daily` for the caller's own account,
 * `/svc/accounts/usage/daily` for the operator, each key apart. Always of the caller's mode.
 */

import { z } from 'zod';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import { dateFromDay, dayFromDate, dayFromMillis } from '../../../base/time/dates.ts';
import type { KeyUsageRow, UsageRow } from '../../../store/sqlite/usage/usage-report.ts';
import { accountUsageExample, usageExample } from '../../docs/examples/accounts.ts';
import type { RouteContract } from '../../docs/openapi/contract.ts';
import { CONTENT_TYPES, chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { checkedQuery } from '../../http/query.ts';
import { choiceField, dateField, formatField, textField } from '../../http/query-fields.ts';
import { type Answer, createAnswer } from '../../http/response.ts';
import type { AdmittedExchange, Route, RouteSources } from '../../http/route.ts';
import { USAGE_ENDPOINTS } from '../../http/route-access.ts';
import type { Table } from '../../responses/table.ts';
import { arrowAnswer, csvAnswer } from '../../responses/table-response.ts';
import { accountUsageSchema, usageSchema } from '../accounts/schemas.ts';

export const usageParameters = z.strictObject({
  from: dateField.describe('First day in UTC; default: 30 days up to `to`.').optional(),
  to: dateField.describe('Last day in UTC; default: today.').optional(),
  endpoint: choiceField(USAGE_ENDPOINTS)
    .describe('A path of this description; `(none)` stands for all others.')
    .optional(),
  key_id: textField('must be the id of a key')
    .describe('One key; an unknown one has no rows.')
    .optional(),
  format: formatField.optional(),
});

export const accountUsageParameters = usageParameters.extend({
  account: textField('must be the id of an account')
    .describe('One account; an unknown one has no rows.')
    .optional(),
});

const OWN: RouteContract = {
  operationId: 'getUsage',
  tag: 'Usage',
  summary: 'List daily usage',
  description:
    "In ascending order, in the mode of the caller's key. Every request with a valid key counts " +
    'once, including refused ones, and shows within a second. Errors are statuses from 400 up. ' +
    'A query for more than 50,000 rows gets 400.',
  query: usageParameters,
  answer: usageSchema,
  formats: FORMATS,
  errors: { 400: 'from must not be after to "2026-11-18", got "2026-11-19"' },
  examples: [usageExample],
};

const OPERATED: RouteContract = {
  ...OWN,
  operationId: 'getAccountUsage',
  tag: 'Accounts',
  summary: 'List daily usage of all accounts',
  description:
    "As `/svc/developer/usage/daily`, in the mode of the caller's key, with rows per key.",
  query: accountUsageParameters,
  answer: accountUsageSchema,
  examples: [accountUsageExample],
};

type UsageQuery = z.infer<typeof usageParameters>;

/** Filter of a query; without `from` the last 30 days up to `to`, which is today. */
function filterOf({ from, to, endpoint, key_id: keyId }: UsageQuery, nowMs: number) {
  const toDay = to === undefined ? dayFromMillis(nowMs) : dayFromDate(to, 'to');
  const fromDay =
    from === undefined ? toDay - limits.usage.daysDefault + 1 : dayFromDate(from, 'from');
  if (fromDay > toDay) {
    const last = dateFromDay(toDay);
    throw new ParameterError('from', `from must not be after to "${last}", got "${from}"`);
  }
  // One more than can be answered shows that there are too many.
  const rowsMax = limits.usage.rowsMax + 1;
  return { fromDay, toDay, rowsMax, ...(endpoint && { endpoint }), ...(keyId && { keyId }) };
}

function checkCount(rows: readonly UsageRow[]): void {
  const { rowsMax } = limits.usage;
  if (rows.length <= rowsMax) return;
  throw new ParameterError('from', `from and to must span at most ${rowsMax} rows of usage`);
}

type NumberField = 'callCount' | 'errorCount' | 'tokensUsed';
type TextField = 'account' | 'keyId' | 'endpoint' | 'method';

/** @param texts Columns before the numbers; `day` comes behind those of the key. */
function tableFromUsage<Row extends UsageRow>(rows: readonly Row[], owner: TextField[]): Table {
  const text = (name: TextField) =>
    ({
      name,
      type: 'text',
      values: rows.map((row) => (row as unknown as KeyUsageRow)[name]),
    }) as const;
  const number = (name: NumberField) =>
    ({ name, type: 'number', values: Float64Array.from(rows, (row) => row[name]) }) as const;
  return [
    ...owner.map(text),
    { name: 'day', type: 'date', values: Int32Array.from(rows, ({ day }) => day) },
    text('endpoint'),
    text('method'),
    number('callCount'),
    number('errorCount'),
    number('tokensUsed'),
  ];
}

const HEADERS = ['Cache-Control', 'private, no-cache', 'Vary', 'Accept'];

function written<Row extends UsageRow>(
  rows: readonly Row[],
  owner: TextField[],
  format: Format,
): Answer | Promise<Answer> {
  checkCount(rows);
  if (format === 'json') {
    const data = rows.map((row) => ({ ...row, day: dateFromDay(row.day) }));
    return createAnswer(200, CONTENT_TYPES.json, JSON.stringify({ data }), HEADERS);
  }
  const table = tableFromUsage(rows, owner);
  return format === 'csv' ? csvAnswer(table, HEADERS) : arrowAnswer(table, HEADERS);
}

export function usageRoutes({ accounts, now }: RouteSources): Route[] {
  function asked<T extends UsageQuery>(schema: z.ZodType<T>, exchange: AdmittedExchange) {
    const query = checkedQuery(schema, exchange.query);
    const format = chosenFormat(query.format, exchange.headers.accept, FORMATS);
    const filter = { ...filterOf(query, now()), mode: exchange.key.mode };
    return { query, format, filter };
  }

  return [
    {
      template: '/svc/developer/usage/daily',
      contract: OWN,
      answer(exchange) {
        const { format, filter } = asked(usageParameters, exchange);
        const rows = accounts.dailyUsage({ ...filter, account: exchange.key.account });
        return written(rows, [], format);
      },
    },
    {
      template: '/svc/accounts/usage/daily',
      contract: OPERATED,
      answer(exchange) {
        const { query, format, filter } = asked(accountUsageParameters, exchange);
        const { account } = query;
        const rows = accounts.dailyKeyUsage({ ...filter, ...(account && { account }) });
        return written(rows, ['account', 'keyId'], format);
      },
    },
  ];
}
