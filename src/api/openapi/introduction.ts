/** What is true of all operations, for the start of the API description and its reference page. */

export interface IntroductionPart {
  title: string;
  /** Paragraphs; `code` between back-quotes is the only markup. */
  paragraphs: readonly string[];
}

export const INTRODUCTION: readonly IntroductionPart[] = [
  {
    title: 'Keys',
    paragraphs: [
      'Every path under `/v1/svc` needs a key: `X-API-Key: svc_live_…` reads real data, ' +
        '`svc_test_…` the synthetic sandbox. `Authorization: Bearer …` is accepted too; both, ' +
        'with different keys, is 401. What a key may do its scopes say; each operation names the ' +
        'one it needs, and 403 does.',
    ],
  },
  {
    title: 'Limits and tokens',
    paragraphs: [
      'Every answer to a valid key carries `X-SVC-RateLimit-Limit`, `-Remaining` and `-Reset`. A ' +
        'request too many is 429 with `Retry-After`; the next one after these seconds passes. ' +
        'An answer costs the tokens that its operation names, an error none; an account may have ' +
        'a number of tokens a day.',
    ],
  },
  {
    title: 'Requests',
    paragraphs: [
      'Each parameter is given at most once; lists are separated by commas. An unknown, repeated, ' +
        'empty or out-of-range one is 400, and the message names it: nothing is clamped. Bodies ' +
        'are JSON in UTF-8 of at most 64 KiB. `HEAD` is answered as `GET` without the body, ' +
        '`OPTIONS` with 204 and `Allow`, any other method with 405 and `Allow`; a path that does ' +
        'not exist is 404. Both have the envelope of errors.',
    ],
  },
  {
    title: 'Answers',
    paragraphs: [
      'JSON, unless `format=csv`, `format=arrow` or the header `Accept` asks for another of the ' +
        'formats that the operation has; Arrow is one uncompressed IPC stream. Numbers are the ' +
        'shortest text that reads back as the same float64, date-times ' +
        '`YYYY-MM-DDTHH:mm:ss.sssZ` in UTC. Every field is always there; an unknown value is null.',
      'Where an answer has an `ETag`, `If-None-Match` with it is answered 304 until newer data is ' +
        'published.',
    ],
  },
  {
    title: 'Pages',
    paragraphs: [
      'Lists of pages carry two envelopes at once: `page_info` with `hasNext`, `cursor` and ' +
        '`totalCount`; and `has_more`, `cursor` (null on the last page) and `total`. Repeat the ' +
        'query with `cursor` to go on. In CSV and Arrow `X-SVC-Total-Count` and ' +
        '`X-SVC-Next-Cursor` take their place.',
    ],
  },
  {
    title: 'Errors',
    paragraphs: [
      'Every error is JSON: `error.message` for people, `error.type` for programs, ' +
        '`error.docs_url`, and `request_id`, which is also the header `X-Request-Id` and in the ' +
        'log of the server. Checks come in this order: 401, 403, 429, 400, 404.',
    ],
  },
];
