/** Requests to the thread of screens whose other side is a test, which need not respond. */

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ConnectedScreens,
  createScreens,
  type Screens,
} from '../../../src/api/screens/client.ts';
import type { ScreenMessage, ScreenReply } from '../../../src/api/screens/messages.ts';
import { HttpError } from '../../../src/base/errors.ts';
import { limits } from '../../../src/base/limits.ts';
import { freshFolder } from '../../support/folders.ts';
import { useLimits } from '../../support/use-limits.ts';
import { NOW_MS } from '../support/market-fixture.ts';
import { startTestServer } from '../support/test-server.ts';

let screens: ConnectedScreens;
let other: MessagePort;

beforeEach(() => {
  screens = createScreens();
  other = connect();
});

afterEach(() => {
  screens.close();
  other.close();
});

function connect(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  screens.connect(port1);
  return port2;
}

async function received(port = other): Promise<ScreenMessage> {
  const [message] = await once(port, 'message');
  return message;
}

const reply = (message: ScreenReply, port = other) => port.postMessage(message);

const texts = { where: 'close > 1' };

const statusOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error) => (error instanceof HttpError ? error.status : error),
  );

describe('requests', () => {
  it('get their own replies, in any order', async () => {
    const [first, second] = [screens.check(texts), screens.check(texts)];
    const { id } = await received();
    reply({ kind: 'checked', id: id + 1, canonical: 'second' });
    reply({ kind: 'checked', id, canonical: 'first' });
    expect([await first, await second]).toEqual(['first', 'second']);
  });

  it('fail with 503 without a thread, and when it ends', async () => {
    const alone = createScreens();
    await expect(alone.check(texts)).rejects.toMatchObject({
      status: 503,
      headers: ['Retry-After', '1'],
    });
    const waiting = statusOf(screens.check(texts));
    other.close();
    expect(await waiting).toBe(503);
    expect(await statusOf(screens.check(texts))).toBe(503);
  });

  it('go to the next thread once it is there', async () => {
    const lost = statusOf(screens.check(texts));
    const next = connect();
    expect(await lost).toBe(503);
    const found = screens.check(texts);
    const { id } = await received(next);
    reply({ kind: 'checked', id, canonical: 'found' }, next);
    expect(await found).toBe('found');
  });
});

describe('a thread that does not respond', () => {
  useLimits(limits.screenThread, { responseMs: 1 });

  it('is given up, and may stop', async () => {
    const waiting = statusOf(screens.check(texts));
    const { id } = await received();
    expect(await waiting).toBe(503);
    expect(await received()).toEqual({ kind: 'cancel', id });
  });

  it('says which request took too long, and what makes a study shorter', async () => {
    const study = { account: 'a', mode: 'live', request: {} } as Parameters<Screens['study']>[0];
    await expect(screens.study(study)).rejects.toThrow(
      'The study took more than 0.001 s: narrow from and to or its values, or try again later',
    );
    await expect(screens.check(texts)).rejects.toThrow(
      'The screen took more than 0.001 s: try again later',
    );
  });
});

it('gives a screen up when its client has disconnected', async () => {
  const server = await startTestServer(freshFolder(), NOW_MS, {}, {}, undefined, screens);
  const sent = httpRequest(`${server.address}/v1/svc/screener?where=close>1`, {
    agent: false,
    headers: { 'X-API-Key': server.rawKey },
  });
  sent.on('error', () => {});
  sent.end();
  const { id, kind } = await received();
  expect(kind).toBe('page');
  sent.destroy();
  expect(await received()).toEqual({ kind: 'cancel', id });
  await expect.poll(() => server.log.map(({ status }) => status)).toContain(408);
  await server.close();
});
