import { SESSION_CHOICES } from '../../base/time/intervals.ts';

/** Headers of responses and their meaning. */

/** @param schema JSON Schema. */
function header(description: string, schema: Record<string, unknown>, example: string | number) {
  return { description, schema, example };
}

const INTEGER = { type: 'integer' };
const COUNT = { type: 'integer', minimum: 0 };
const STRING = { type: 'string' };

export const RESPONSE_HEADERS = {
  'X-Request-Id': header(
    "Id of the request, also in the server's log.",
    { type: 'string', pattern: '^req_[0-9a-z]+$' },
    'req_5f0c6a1b2c3d0000001a',
  ),
  'X-SVC-RateLimit-Limit': header('Requests per window.', { type: 'integer', minimum: 1 }, 600),
  'X-SVC-RateLimit-Remaining': header('Requests left in this window.', COUNT, 599),
  'X-SVC-RateLimit-Reset': header('End of the window in Unix seconds.', INTEGER, 1794999660),
  'Retry-After': header(
    'Seconds to wait before the next request.',
    { type: 'integer', minimum: 1 },
    17,
  ),
  'Cache-Control': header(
    'Whether the response may be cached and must be revalidated.',
    STRING,
    'private, no-cache',
  ),
  ETag: header(
    'Changes when newer data is published. Send it as `If-None-Match`.',
    STRING,
    '"p6H1dYhqE0u0mI3lTq4xVbJc9aA"',
  ),
  'Accept-Ranges': header('`Range` is supported.', STRING, 'bytes'),
  'Content-Range': header('The sent range, and the size of the file.', STRING, 'bytes 0-7/1702'),
  'Last-Modified': header(
    'Time at which the file was made.',
    STRING,
    'Mon, 23 Nov 2026 13:00:00 GMT',
  ),
  'WWW-Authenticate': header('How to authenticate.', STRING, 'Bearer realm="tapeworks"'),
  Allow: header('Methods of the path.', STRING, 'GET, HEAD, OPTIONS'),
  'Idempotent-Replayed': header(
    '`true` if this repeats the response to an earlier request.',
    { type: 'string', const: 'true' },
    'true',
  ),
  'X-SVC-Adjustment': header(
    'The price basis of the bars.',
    { type: 'string', enum: ['raw', 'split', 'all'] },
    'split',
  ),
  'X-SVC-Session': header(
    'The sessions of the bars. Days, weeks, months and quotes are of the regular session.',
    { type: 'string', enum: SESSION_CHOICES },
    'regular',
  ),
  'X-SVC-Rows': header(
    'Rows of the response, so that a cut one is noticed whatever a proxy does. If bars are ' +
      'resampled from more than 4,000,000 stored ones, it is a trailer behind the last chunk.',
    COUNT,
    885990,
  ),
  'X-SVC-Snapshot-Changed': header(
    '`1` if this page comes from another version than the one before.',
    { type: 'string', const: '1' },
    '1',
  ),
  'X-SVC-As-Of': header(
    'The session that a screen with `as_of` shows: the last one up to that day.',
    { type: 'string', format: 'date' },
    '2019-03-01',
  ),
  'X-SVC-Null': header(
    'Of a screen without a row: the fields, or the conditions, that have no value for any symbol.',
    STRING,
    'pe_ratio; roe',
  ),
  'X-SVC-Adjusted': header(
    'With `as_of`: symbols of the page whose prices still have later splits or dividends in ' +
      'them, since no others are stored.',
    STRING,
    'XYZ,ABC',
  ),
  'Server-Timing': header(
    'Of a screen with expressions, in milliseconds: `screen` is the time until its page was ' +
      'made, `work` the part in which it was computed, 0 if its result was kept.',
    STRING,
    'screen;dur=13.1, work;dur=12.4',
  ),
  'X-SVC-Not-Found': header(
    'Of a batch in CSV and Arrow: the symbols that JSON lists in `notFound`. Of a screen: the ' +
      'requested symbols without a row.',
    STRING,
    'XYZ',
  ),
  'X-SVC-Total-Count': header('In CSV and Arrow: rows on all pages together.', COUNT, 1712),
  'X-SVC-Next-Cursor': header(
    'In CSV and Arrow: the cursor of the next page; absent on the last one.',
    STRING,
    'Zk1V…',
  ),
};

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;
