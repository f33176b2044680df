/** Headers of responses and their meaning. */

interface HeaderSpec {
  description: string;
  /** JSON Schema of the value. */
  schema: Readonly<Record<string, unknown>>;
  example: string | number;
}

export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: "Id of the request, also in the server's log.",
    schema: { type: 'string', pattern: '^req_[0-9a-z]+$' },
    example: 'req_5f0c6a1b2c3d0000001a',
  },
  'X-SVC-RateLimit-Limit': {
    description: 'Requests per window.',
    schema: { type: 'integer', minimum: 1 },
    example: 600,
  },
  'X-SVC-RateLimit-Remaining': {
    description: 'Requests left in this window.',
    schema: { type: 'integer', minimum: 0 },
    example: 599,
  },
  'X-SVC-RateLimit-Reset': {
    description: 'End of the window in Unix seconds.',
    schema: { type: 'integer' },
    example: 1794999660,
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
    example: 17,
  },
  'Cache-Control': {
    description: 'Whether the response may be cached and must be revalidated.',
    schema: { type: 'string' },
    example: 'private, no-cache',
  },
  ETag: {
    description: 'Changes when newer data is published. Send it as `If-None-Match`.',
    schema: { type: 'string' },
    example: '"p6H1dYhqE0u0mI3lTq4xVbJc9aA"',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: { type: 'string' },
    example: 'Bearer realm="tapeworks"',
  },
  Allow: {
    description: 'Methods of the path.',
    schema: { type: 'string' },
    example: 'GET, HEAD, OPTIONS',
  },
  'Idempotent-Replayed': {
    description: '`true` if this repeats the response to an earlier request.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'X-SVC-Adjustment': {
    description: 'The price basis of the bars.',
    schema: { type: 'string', enum: ['raw', 'split', 'all'] },
    example: 'split',
  },
  'X-SVC-Snapshot-Changed': {
    description: '`1` if this page comes from newer data than the one before.',
    schema: { type: 'string', const: '1' },
    example: '1',
  },
  'X-SVC-Not-Found': {
    description: 'In CSV and Arrow: the symbols that JSON lists in `notFound`.',
    schema: { type: 'string' },
    example: 'XYZ',
  },
  'X-SVC-Total-Count': {
    description: 'In CSV and Arrow: rows on all pages together.',
    schema: { type: 'integer', minimum: 0 },
    example: 1712,
  },
  'X-SVC-Next-Cursor': {
    description: 'In CSV and Arrow: the cursor of the next page; absent on the last one.',
    schema: { type: 'string' },
    example: 'Zk1V…',
  },
} as const satisfies Record<string, HeaderSpec>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;
