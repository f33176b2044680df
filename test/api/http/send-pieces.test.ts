import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  get,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Coding } from '../../../src/api/http/coding.ts';
import { sendPieces } from '../../../src/api/http/send-pieces.ts';
import { limits } from '../../../src/base/limits.ts';
import { useLimits } from '../../support/use-limits.ts';

const PIECE_BYTES = 1024 * 1024;

let server: Server;
let address: string;
/** Next response of the server: its pieces and its coding. */
let coding: Coding | undefined;
let pieces: () => Iterable<Uint8Array>;
/** Settled when the server has done with its last answer. */
let sent: Promise<void> | undefined;
let response: ServerResponse;

beforeEach(async () => {
  sent = undefined;
  coding = undefined;
  server = createServer((request, answered) => {
    if (request.url === '/ping') {
      answered.end('pong');
      return;
    }
    response = answered;
    const write = () => answered.writeHead(200, coding ? { 'Content-Encoding': coding } : {});
    sent = sendPieces(answered, pieces(), { write, coding });
    sent.catch(() => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Pieces 0, 1, 2, …, each filled with its number, all in the same memory. */
function* numberedPieces(count: number, made = { count: 0, isOver: false }) {
  const piece = new Uint8Array(PIECE_BYTES);
  try {
    for (let number = 0; number < count; number++) {
      piece.fill(number);
      made.count++;
      yield piece;
    }
  } finally {
    made.isOver = true;
  }
}

/** The headers have come; nothing of the body is taken. */
function openAnswer(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(address, (answer) => resolve(answer.pause())).on('error', reject);
  });
}

async function ping(): Promise<string> {
  return (await fetch(`${address}/ping`)).text();
}

/** Other requests pass until the count has stayed the same for many of them. */
async function untilSteady(made: { count: number }): Promise<number> {
  for (let same = 0, last = -1; same < 30; same++) {
    if (made.count !== last) same = 0;
    last = made.count;
    expect(await ping()).toBe('pong');
  }
  return made.count;
}

/** More than the buffers of the kernel at both ends hold. */
const COUNT = 16;
const whole = Buffer.concat(
  Array.from({ length: COUNT }, (_, number) => Buffer.alloc(PIECE_BYTES, number)),
);

/** Endless pieces that no coding shortens. */
function* noise(made: { count: number; isOver: boolean }) {
  const piece = randomBytes(PIECE_BYTES);
  for (const _ of numberedPieces(Number.POSITIVE_INFINITY, made)) yield piece;
}

describe.each([undefined, 'br', 'gzip'] as const)('pieces in the coding %s', (chosen) => {
  beforeEach(() => {
    coding = chosen;
  });

  it('arrive whole and in order, though all are made in one memory', async () => {
    pieces = () => numberedPieces(COUNT);
    // `fetch` decodes the body.
    const body = Buffer.from(await (await fetch(address)).arrayBuffer());
    expect(body.equals(whole)).toBe(true);
    await sent;
    expect(response.writableEnded).toBe(true);
  });

  it('that are short or empty come as one', async () => {
    pieces = () => [new Uint8Array(0), Buffer.from('a'), new Uint8Array(0), Buffer.from('b')];
    expect(await (await fetch(address)).text()).toBe('ab');
  });

  it('are not made faster than a client takes them, and no more once it has left', async () => {
    const made = { count: 0, isOver: false };
    pieces = () => noise(made);
    const answer = await openAnswer();
    // No more than the buffers of the kernel at both ends hold.
    expect(await untilSteady(made)).toBeLessThan(64);
    expect(made.isOver).toBe(false);
    answer.destroy();
    await sent;
    expect(made.isOver).toBe(true);
    expect(response.writableEnded).toBe(false);
  });

  it('that fail cut the response off', async () => {
    pieces = function* failing() {
      yield randomBytes(PIECE_BYTES);
      throw new Error('damaged');
    };
    const body = fetch(address).then((answer) => answer.arrayBuffer());
    body.catch(() => undefined);
    while (!sent) await new Promise(setImmediate);
    await expect(sent).rejects.toThrow('damaged');
    expect(response.headersSent).toBe(true);
    response.destroy();
    await expect(body).rejects.toThrow();
  });
});

describe('pieces', () => {
  it('arrive whole and in order at a client that takes its time', async () => {
    pieces = () => numberedPieces(COUNT);
    const chunks: Buffer[] = [];
    for await (const chunk of await openAnswer()) {
      chunks.push(chunk);
      await new Promise(setImmediate);
    }
    expect(Buffer.concat(chunks).equals(whole)).toBe(true);
  });

  it('that fail before the head become an error', async () => {
    pieces = function* failing() {
      yield Buffer.from('a');
      throw new Error('damaged');
    };
    const asked = openAnswer();
    while (!sent) await new Promise(setImmediate);
    await expect(sent).rejects.toThrow('damaged');
    expect(response.headersSent).toBe(false);
    response.writeHead(503).end();
    expect((await asked).statusCode).toBe(503);
  });

  it('let other requests through while a fast client takes them', async () => {
    pieces = () => numberedPieces(Number.POSITIVE_INFINITY);
    const answer = (await openAnswer()).resume();
    for (let i = 0; i < 20; i++) expect(await ping()).toBe('pong');
    answer.destroy();
    await sent;
  });
});

it('a client that takes nothing for too long is cut off', async () => {
  const made = { count: 0, isOver: false };
  pieces = () => numberedPieces(Number.POSITIVE_INFINITY, made);
  const answer = await openAnswer();
  await untilSteady(made);
  expect(response.socket?.timeout).toBe(limits.bulk.stallMs);
  response.socket?.emit('timeout');
  await sent;
  expect(made.isOver).toBe(true);
  await expect(answer.resume().toArray()).rejects.toThrow('aborted');
});

describe('a client that takes a little now and then', () => {
  useLimits(limits.bulk, { stallMs: 200 });

  it('is cut off, so that it does not hold its place', async () => {
    let isOver = false;
    // Longer than what the client can read meanwhile.
    const piece = Buffer.alloc(64 * PIECE_BYTES);
    pieces = function* long() {
      try {
        for (;;) yield piece;
      } finally {
        isOver = true;
      }
    };
    const answer = await openAnswer();
    answer.on('error', () => undefined);
    while (!isOver) {
      answer.read(4096);
      expect(await ping()).toBe('pong');
    }
    await sent;
    expect(response.writableEnded).toBe(false);
  });
});
