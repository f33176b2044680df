/** Rules of all operations: the start of the API description. */

import { ERROR_TYPES } from '../../http/error-types.ts';

const ERROR_PAGES = Object.entries(ERROR_TYPES).map(
  ([type, { statuses, title }]) =>
    `- [\`${type}\`](/docs/errors/${type}) (${statuses.join(', ')}): ${title}`,
);

/** Paragraphs in Markdown, by heading. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  Keys: [
    'Every path under `/v1/svc` needs a key: `X-API-Key: svc_live_…` reads real data, ' +
      '`svc_test_…` the synthetic sandbox. `Authorization: Bearer …` is accepted too; two ' +
      "different keys in one request get 401. A key's scopes say what it may do. Each operation " +
      'lists the scope it needs; a 403 names it too.',
  ],
  'Limits and tokens': [
    'Every response to a valid key carries `X-SVC-RateLimit-Limit`, `-Remaining` and `-Reset`. ' +
      'One request too many gets 429 with `Retry-After`; wait that many seconds and the next ' +
      'one succeeds. A successful response costs the tokens listed for its operation; errors ' +
      'are free. An account can have a daily token quota.',
  ],
  Requests: [
    'Give each parameter at most once and separate the items of a list by commas. An unknown, ' +
      'repeated, empty or out-of-range parameter gets 400, and the message names it; values are ' +
      'never adjusted silently. Bodies are JSON in UTF-8 of at most 64 KiB. `HEAD` works as ' +
      '`GET` without a body, and `OPTIONS` gets 204 with `Allow`. Any other method gets 405 with ' +
      '`Allow`, an unknown path 404; both have the usual error body.',
  ],
  Responses: [
    'Responses are JSON. Ask for CSV, Arrow or Parquet with `format=csv`, `format=arrow`, ' +
      '`format=parquet` or the header `Accept`, where the operation supports them; Arrow is one ' +
      'uncompressed IPC stream, and Parquet has the same columns. ' +
      'Numbers are the shortest text that reads back as the same float64, and date-times are ' +
      '`YYYY-MM-DDTHH:mm:ss.sssZ` in UTC. Every field is always present; unknown values are null.',
    'Send the `ETag` of a response as `If-None-Match` to get 304 until newer data is published.',
  ],
  Pages: [
    'Paged lists carry two envelopes: `page_info` with `hasNext`, `cursor` and `totalCount`; and ' +
      '`has_more`, `cursor` (null on the last page) and `total`. To get the next page, repeat ' +
      'the query with `cursor`. CSV and Arrow have the headers `X-SVC-Total-Count` and ' +
      '`X-SVC-Next-Cursor` instead.',
  ],
  Errors: [
    'Every error is JSON: `error.message` for people, `error.type` for programs, ' +
      '`error.docs_url`, and `request_id`, which is also in the header `X-Request-Id` and in ' +
      "the server's log. Checks run in this order: 401, 403, 429, 400, 404.",
    ERROR_PAGES.join('\n'),
  ],
};

export const INTRODUCTION = Object.entries(PARTS)
  .map(([title, paragraphs]) => [`## ${title}`, ...paragraphs].join('\n\n'))
  .join('\n\n');
