/** Clients that send a request a byte at a time, or not to its end. */

import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { type Listening, listen } from '../../../src/api/http/listen.ts';
import { createLog } from '../../../src/api/http/log.ts';
import { limits } from '../../../src/base/limits.ts';
import { open } from '../../cli/support/ask.ts';
import { useLimits } from '../../support/use-limits.ts';
import { raw, rawReplies } from '../support/raw-socket.ts';

let listening: Listening;
const app = express();
useLimits(limits.shutdown, { graceMs: 100 });

beforeAll(async () => {
  const options = { host: '127.0.0.1', port: 0, headersMs: 100 };
  listening = await listen(app, options, createLog('silent'));
});
afterAll(() => listening.close());

it.each([
  ['line', 'GET /v1/svc/quo'],
  ['headers', 'GET /v1/svc/quotes/ABC HTTP/1.1\r\nHost: x\r\nX-API-Key: svc_'],
])('is answered 408 when its %s does not end in time', async (_name, beginning) => {
  const [{ status, body }] = rawReplies(await raw(listening.address, beginning));
  expect(status).toBe(408);
  expect(errorSchema.parse(body).error).toMatchObject({
    type: 'invalid_request_error',
    message: 'request must arrive within the time allowed',
  });
});

it('that says nothing at all is cut off', async () => {
  expect(rawReplies(await raw(listening.address, '')).length).toBeLessThanOrEqual(1);
});

it('that does not read its response is cut off when the server stops', async () => {
  const bulk = express().get('/', (_request, response) => {
    response.send(Buffer.alloc(64 * 1024 * 1024));
  });
  const server = await listen(bulk, { host: '127.0.0.1', port: 0 }, createLog('silent'));
  const response = await open(server.address);
  const cut = new Promise((resolve) => response.on('error', resolve));
  await server.close();
  response.resume();
  expect(await cut).toMatchObject({ message: 'aborted' });
});
