import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { TOO_LONG } from '../../../../src/api/routes/backfills/receive.ts';
import {
  acceptedBackfillSchema,
  backfillPageSchema,
  backfillSchema,
} from '../../../../src/api/routes/backfills/schema.ts';
import { backfillsLockPath, modePaths, uploadsPath } from '../../../../src/base/config/data-dir.ts';
import { lockFile } from '../../../../src/base/file-lock.ts';
import { limits } from '../../../../src/base/limits.ts';
import { freshFolder } from '../../../support/folders.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import { fixtureSymbols, NOW_MS, publishMarket } from '../../support/market-fixture.ts';
import { openSocket, raw, rawReplies } from '../../support/raw-socket.ts';
import { type Reply, startTestServer } from '../../support/test-server.ts';

const PATH = '/v1/svc/backfills';
const SCOPES = ['all', 'ingest:write'];
const good = { source: 'any', symbols: ['aapl', 'BRK-B', 'AAPL'] };
const fixture = useFixtureServer();
const FILE_BYTES_MAX = 2 * 1024 * 1024;
useLimits(limits.backfills, { fileBytesMax: FILE_BYTES_MAX });

/** Stands in for the process that runs backfills, which holds this lock. */
let lock: ReturnType<typeof lockFile>;
let rawKey: string;

beforeEach(async () => {
  lock = lockFile(backfillsLockPath(fixture.dataDir));
  rawKey = await fixture.server.newKey({
    mode: 'live',
    scopes: SCOPES,
    account: `a${Math.random()}`,
  });
});
afterEach(() => lock?.close());

function send(method: string, path = PATH, body?: unknown, headers = {}): Promise<Reply> {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return fixture.server.request(path, {
    method,
    headers: { 'X-API-Key': rawKey, ...type, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

async function accepted(body: object = good, headers = {}) {
  const reply = await send('POST', PATH, body, headers);
  expect([reply.status, reply.text]).toEqual([202, expect.anything()]);
  return acceptedBackfillSchema.parse(reply.json);
}

async function shown(id: string) {
  return backfillSchema.parse((await send('GET', `${PATH}/${id}`)).json);
}

/** Writes bytes and waits until the kernel has them. */
function written(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

function nextText(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once('data', (chunk) => resolve(String(chunk)));
    socket.once('error', reject);
    socket.resume();
  });
}

const messageOf = ({ json }: Reply) => (json as { error: { message: string } }).error.message;

describe('POST /svc/backfills', () => {
  it('accepts a request, which waits', async () => {
    const { id, state } = await accepted();
    expect(state).toBe('waiting');
    expect(await shown(id)).toEqual({
      ...{ id, state: 'waiting', source: 'any', dataset: 'candles', symbols: ['AAPL', 'BRK.B'] },
      ...{ from: null, to: null, file: null, progress: null, waitsFor: null, result: null },
      createdAt: new Date(fixture.server.clock.nowMs).toISOString(),
      ...{ error: null, startedAt: null, endedAt: null },
    });
  });

  it('accepts a repeated Idempotency-Key once', async () => {
    const headers = { 'Idempotency-Key': 'backfill-1' };
    expect(await accepted(good, headers)).toEqual(await accepted(good, headers));
    expect((await send('GET')).json).toMatchObject({ total: 1 });
  });

  it.each([
    ['no source', { symbols: ['A'] }, 'source must be one of any, '],
    ['files of the server', { ...good, source: 'files' }, 'source must be one of any, '],
    ['a source without symbols', { ...good, source: 'rss' }, 'source must be one of any, '],
    ['a path', { ...good, path: '/etc/passwd' }, '"path" is not a field of this body'],
    ['no symbols', { source: 'any' }, 'symbols must be a list of 1 to 100 symbols'],
    ['an empty list', { ...good, symbols: [] }, 'symbols must be a list of 1 to 100 symbols'],
    ['101 symbols', { ...good, symbols: Array(101).fill('A') }, 'symbols must be a list of 1'],
    ['a currency', { ...good, symbols: ['BTC-USD'] }, 'symbols.0'],
    ['a wrong symbol', { ...good, symbols: ['A', '../x'] }, 'symbols.1 must be a symbol'],
    ['a dataset of another source', { ...good, dataset: 'news' }, 'dataset must be candles for'],
    ['a wrong date', { ...good, from: '2026-02-30' }, 'from must be a date'],
    [
      'dates in the wrong order',
      { ...good, from: '2026-02-02', to: '2026-02-01' },
      'from must not',
    ],
  ])('refuses %s with 400 and names it', async (_what, body, start) => {
    const reply = await send('POST', PATH, body);
    expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining(start)]);
  });

  it('refuses a key with the scopes "all", and names the scope', async () => {
    const key = await fixture.server.newKey({ mode: 'live', scopes: ['all'] });
    const reply = await send('POST', PATH, good, { 'X-API-Key': key });
    expect([reply.status, messageOf(reply)]).toEqual([
      403,
      'API key lacks the scope "ingest:write" that this path needs',
    ]);
  });

  it('refuses a key of the sandbox, and says how to make a live one', async () => {
    const key = await fixture.server.newKey({ scopes: SCOPES });
    const reply = await send('POST', PATH, good, { 'X-API-Key': key });
    expect([reply.status, messageOf(reply)]).toEqual([
      403,
      expect.stringContaining('keys create --mode live --label me --scopes all,ingest:write'),
    ]);
  });

  it('fails with 503 where no process runs backfills', async () => {
    lock?.close();
    lock = undefined;
    const reply = await send('POST', PATH, good);
    expect([reply.status, messageOf(reply)]).toEqual([
      503,
      expect.stringMatching(/^Nothing runs backfills on this server/),
    ]);
  });

  it('accepts a bounded number of unfinished backfills', async () => {
    const { accountOpenMax } = limits.backfills;
    const ids: string[] = [];
    for (let i = 0; i < accountOpenMax; i++) ids.push((await accepted()).id);
    const reply = await send('POST', PATH, good);
    expect([reply.status, reply.headers.get('Retry-After')]).toEqual([429, '10']);
    expect((await send('DELETE', `${PATH}/${ids[0]}`)).status).toBe(204);
    await accepted();
  });
});

describe('a backfill', () => {
  it('is cancelled while it waits, or ends so once it is cancelled', async () => {
    const { accounts } = fixture.server;
    const [waiting, running] = [await accepted(), await accepted()];
    expect((await send('DELETE', `${PATH}/${waiting.id}`)).status).toBe(204);
    expect(await shown(waiting.id)).toMatchObject({ state: 'cancelled' });
    expect(await accounts.beginBackfill(waiting.id)).toBe(false);
    expect(await accounts.beginBackfill(running.id)).toBe(true);
    expect((await send('DELETE', `${PATH}/${running.id}`)).status).toBe(204);
    expect(await shown(running.id)).toMatchObject({ state: 'running', endedAt: null });
    await accounts.endBackfill(running.id, { result: null, error: null });
    expect(await shown(running.id)).toMatchObject({ state: 'cancelled' });
    const reply = await send('DELETE', `${PATH}/${running.id}`);
    expect([reply.status, messageOf(reply)]).toEqual([
      400,
      'id must be of a backfill that waits or runs, and it is cancelled',
    ]);
  });

  it('shows its progress, then its end', async () => {
    const { accounts } = fixture.server;
    const { id } = await accepted();
    await accounts.beginBackfill(id);
    await accounts.noteBackfill(id, { step: 'fetch', done: 1, total: 2 }, 'a worker');
    const progress = { step: 'fetch', done: 1, total: 2 };
    expect(await shown(id)).toMatchObject({ state: 'running', progress, waitsFor: 'a worker' });
    await accounts.endBackfill(id, { result: null, error: 'Tiingo said no' });
    expect(await shown(id)).toMatchObject({
      ...{ state: 'failed', error: 'Tiingo said no', waitsFor: null },
      endedAt: new Date(fixture.server.clock.nowMs).toISOString(),
    });
  });

  it('has ended once its data can be requested, though the server looks for it seldom', async () => {
    const dataDir = freshFolder();
    const server = await startTestServer(dataDir, NOW_MS, {}, { pollMs: 3_600_000 });
    onTestFinished(() => server.close());
    const { accounts } = server;
    const key = await server.newKey({ mode: 'live', scopes: SCOPES, account: 'a' });
    const headers = { 'X-API-Key': key };
    const quote = async () => (await server.get('/v1/svc/quotes/ABC', headers)).status;
    const wanted = { source: 'any', dataset: 'candles', symbols: ['ABC'], from: null, to: null };
    const order = { ...wanted, accept: false, file: null };
    const { id } = await accounts.createBackfill({ account: 'a', mode: 'live', order });
    await accounts.beginBackfill(id);
    await publishMarket(modePaths(dataDir, 'live').serving, fixtureSymbols());
    expect(await quote()).toBe(404);
    await accounts.endBackfill(id, { result: null, error: null });
    expect((await server.get(`${PATH}/${id}`, headers)).json).toMatchObject({ state: 'done' });
    expect(await quote()).toBe(200);
  });

  it('is listed for its account, newest first, and unknown to others', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await accepted()).id);
    const page = backfillPageSchema.parse((await send('GET', `${PATH}?limit=2`)).json);
    expect([page.data.map(({ id }) => id), page.total]).toEqual([ids.slice(0, 2), 3]);
    const other = await fixture.server.newKey({ mode: 'live', scopes: SCOPES, account: 'other' });
    for (const method of ['GET', 'DELETE']) {
      const reply = await send(method, `${PATH}/${ids[0]}`, undefined, { 'X-API-Key': other });
      expect([reply.status, messageOf(reply)]).toEqual([
        404,
        `No backfill "${ids[0]}" in live mode`,
      ]);
    }
  });
});

describe('POST /svc/backfills/files', () => {
  const FILES = `${PATH}/files`;

  function upload(query: string, body: RequestInit['body'], type = 'application/octet-stream') {
    const headers = { 'X-API-Key': rawKey, 'Content-Type': type };
    const init = { method: 'POST', headers, body, duplex: 'half' };
    return fixture.server.request(`${FILES}?${query}`, init as RequestInit);
  }

  const kept = () => (existsSync(uploads()) ? readdirSync(uploads()) : []);
  const uploads = () => uploadsPath(fixture.dataDir);

  it('keeps the file for the process that loads it', async () => {
    const reply = await upload('name=My%20bars.csv&symbol=brk-b&zone=America/New_York', 'a,b\n');
    expect([reply.status, reply.text]).toEqual([202, expect.anything()]);
    const { id } = acceptedBackfillSchema.parse(reply.json);
    expect(await shown(id)).toMatchObject({
      ...{ source: 'files', dataset: 'candles', symbols: null },
      file: { name: 'My bars.csv', bytes: 4 },
    });
    expect(readFileSync(join(uploads(), id, 'My bars.csv'), 'utf8')).toBe('a,b\n');
    const open = await fixture.server.accounts.openBackfills();
    expect(open.find((one) => one.id === id)?.order.file).toMatchObject({
      ...{ symbol: 'BRK.B', zone: 'America/New_York' },
    });
  });

  it.each([
    ...['application/json', 'application/x-ndjson; charset=utf-8', 'application/gzip'],
    ...['application/vnd.apache.parquet', 'application/zip', 'text/csv'],
  ])('takes a body of type %s', async (type) => {
    expect((await upload('name=a.json', '[]\n', type)).status).toBe(202);
  });

  it('takes the word of the client that a list of actions is complete', async () => {
    const query = 'name=a.csv&dataset=corporate-actions&complete=true&complete_for=brk-b,MSFT';
    const { json } = await upload(query, 'a,b\n');
    const all = await upload('name=a.csv&dataset=corporate-actions&complete_for=*', 'a,b\n');
    const open = await fixture.server.accounts.openBackfills();
    const fileOf = (reply: unknown) =>
      open.find(({ id }) => id === acceptedBackfillSchema.parse(reply).id)?.order.file;
    expect(fileOf(json)).toMatchObject({ complete: true, completeFor: ['BRK.B', 'MSFT'] });
    expect(fileOf(all.json)).toMatchObject({ completeFor: ['*'] });
  });

  it.each([
    ['complete bars', 'name=a.csv&complete=true', 'complete is for corporate-actions'],
    ['no name', '', 'name must be the name of a file'],
    ['a path', 'name=a/b.csv', 'name must be the name of a file'],
    ['a path above', 'name=..', 'name must be the name of a file'],
    ['a Windows path', 'name=a%5Cb.csv', 'name must be the name of a file'],
    ['a mark of direction', 'name=a%E2%80%AEb.csv', 'name must be the name of a file'],
    ['a line break', 'name=a%0Ab.csv', 'name must be the name of a file'],
    ['an unknown dataset', 'name=a.csv&dataset=gold', 'dataset must be one of candles'],
    ['an unknown zone', 'name=a.csv&zone=Mars', 'zone must be the name of a zone'],
    ['a wrong symbol', 'name=a.csv&symbol=BTC-USD', 'symbol'],
  ])('refuses %s with 400, and keeps nothing', async (_what, query, start) => {
    const before = kept();
    const reply = await upload(query, 'a,b\n');
    expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining(start)]);
    expect(kept()).toEqual(before);
  });

  it('refuses an empty file, other types, and more bytes than the limit', async () => {
    const before = kept();
    const empty = await upload('name=a.csv', '');
    expect([empty.status, messageOf(empty)]).toEqual([400, 'body must be a file, it is empty']);
    expect((await upload('name=a.csv', 'a', 'multipart/form-data')).status).toBe(415);
    const long = await upload('name=a.csv', Buffer.alloc(FILE_BYTES_MAX + 1));
    expect([long.status, messageOf(long)]).toEqual([413, TOO_LONG]);
    expect(kept()).toEqual(before);
  });

  const headOf = (framing: string) =>
    `POST ${FILES}?name=a.csv HTTP/1.1\r\nHost: a\r\nX-API-Key: ${rawKey}\r\n` +
    `Content-Type: text/csv\r\n${framing}\r\n\r\n`;

  it('refuses a body beyond the limit to a client that sends all before it reads', async () => {
    const before = kept();
    const socket = await openSocket(fixture.server.address);
    socket.pause();
    const piece = Buffer.alloc(1024 * 1024);
    const head = `${piece.length.toString(16)}\r\n`;
    socket.write(headOf('Transfer-Encoding: chunked'));
    for (let left = FILE_BYTES_MAX / piece.length + 8; left > 0; left--) {
      await written(socket, Buffer.concat([Buffer.from(head), piece, Buffer.from('\r\n')]));
    }
    await written(socket, '0\r\n\r\n');
    const [{ status, body }] = rawReplies(await nextText(socket));
    socket.destroy();
    expect([status, body]).toMatchObject([413, { error: { message: TOO_LONG } }]);
    expect(kept()).toEqual(before);
  });

  it('refuses a length beyond the limit at once, also to a client that then goes away', async () => {
    const socket = await openSocket(fixture.server.address);
    socket.write(`${headOf(`Content-Length: ${FILE_BYTES_MAX + 1}`)}part`);
    const [{ status }] = rawReplies(await nextText(socket));
    socket.destroy();
    expect(status).toBe(413);
    expect((await upload('name=a.csv', 'a,b\n')).status).toBe(202);
  });

  describe('from slow clients', () => {
    useLimits(limits.backfills, { fileIdleMs: 200 });

    it('end with 408 and make room for others', async () => {
      const before = kept();
      const { address } = fixture.server;
      const part = `${headOf('Content-Length: 100')}part`;
      const share = limits.backfills.uploadsMax / 2;
      const uploads = Array.from({ length: share }, () => raw(address, part));
      await expect.poll(() => kept().length).toBe(before.length + uploads.length);
      expect((await upload('name=a.csv', 'a,b\n')).status).toBe(429);
      for (const [{ status, body }] of (await Promise.all(uploads)).map(rawReplies)) {
        const message = 'body must not pause for more than 0.2 seconds';
        expect([status, body]).toMatchObject([408, { error: { message } }]);
      }
      expect(kept()).toEqual(before);
      expect((await upload('name=a.csv', 'a,b\n')).status).toBe(202);
    });
  });

  describe('below the least rate', () => {
    useLimits(limits.backfills, { fileGraceMs: 0, fileBytesPerSMin: 1024 ** 5 });

    it('end with 408', async () => {
      const text = await raw(fixture.server.address, `${headOf('Content-Length: 100')}part`);
      const [{ status, body }] = rawReplies(text);
      expect([status, body]).toMatchObject([
        408,
        { error: { message: expect.stringMatching(/^body must arrive at \d+ KiB\/s or more$/) } },
      ]);
    });
  });

  it('keeps nothing of a client that goes away', async () => {
    const before = kept();
    const socket = await openSocket(fixture.server.address);
    socket.write(`${headOf('Content-Length: 100')}part`);
    await expect.poll(() => kept().length).toBe(before.length + 1);
    socket.destroy();
    await expect.poll(kept).toEqual(before);
    const logged = () =>
      fixture.server.log.filter(({ target }) => target === `${FILES}?name=a.csv`);
    await expect.poll(() => logged().at(-1)).toMatchObject({ status: 400 });
  });
});
