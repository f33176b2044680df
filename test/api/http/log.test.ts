import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { logLimits } from '../../../src/api/http/limits.ts';
import { createLog, gatheringDestination, type RequestLine } from '../../../src/api/http/log.ts';
import { freshFolder } from '../../support/folders.ts';

let folder: string;
let path: string;
let fd: number;

beforeEach(() => {
  vi.useFakeTimers();
  folder = freshFolder();
  path = join(folder, 'log');
  fd = openSync(path, 'w');
});

afterEach(() => {
  vi.useRealTimers();
  closeSync(fd);
});

const lines = () =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const openLog = (level: string) => createLog(level, gatheringDestination(fd));

const line: RequestLine = {
  requestId: 'req_1',
  method: 'GET',
  target: '/',
  status: 200,
  isAborted: false,
  durationMs: 0.125,
  keyId: 'key_1',
};

it('lines are written together after a while', () => {
  const log = openLog('info');
  log.request(line);
  log.request({ ...line, requestId: 'req_2' });
  expect(lines()).toEqual([]);
  vi.advanceTimersByTime(logLimits.flushMs);
  expect(lines().map(({ request_id }) => request_id)).toEqual(['req_1', 'req_2']);
});

it('lines are written at once when there are many bytes', () => {
  openLog('info').request({ ...line, target: 'x.'.repeat(logLimits.bytesMax) });
  expect(lines()).toHaveLength(1);
});

it('a request is a line as pino writes it', () => {
  const log = openLog('info');
  log.request({ ...line, target: '/a"b\n' });
  log.request({ ...line, requestId: 'req_2', keyId: undefined, isAborted: true });
  log.refusal('req_3', 400, 'noise');
  vi.advanceTimersByTime(logLimits.flushMs);
  const time = expect.any(Number);
  const answered = { level: 30, time, method: 'GET', status: 200, ms: 0.125 };
  expect(lines()).toEqual([
    { ...answered, request_id: 'req_1', target: '/a"b\n', key: 'key_1' },
    { ...answered, request_id: 'req_2', target: '/', aborted: true },
    { level: 30, time, request_id: 'req_3', status: 400, reason: 'noise' },
  ]);
});

it('lines below the level are dropped', () => {
  const log = openLog('error');
  log.request(line);
  log.refusal('req_2', 400, 'noise');
  log.failure('req_3', new TypeError('a bug'));
  vi.advanceTimersByTime(logLimits.flushMs);
  expect(lines()).toMatchObject([{ level: 50, request_id: 'req_3', err: { message: 'a bug' } }]);
});

const SECRET = 'aB3'.repeat(11);

it.each([
  ['/v1/svc/quotes/ABC?format=csv', '/v1/svc/quotes/ABC?format=csv'],
  ['/v1/svc/quotes/a%62c?x=%73%20y', '/v1/svc/quotes/a%62c?x=%73%20y'],
  [`/x?api_key=svc_live_${SECRET}&y=1`, '/x?api_key=…&y=1'],
  ['/x?api_key=svc_test_', '/x?api_key=…'],
  [`/x/%73vc_live_${SECRET}`, '/x/…'],
  [`/x/svc%5Flive%5f${SECRET}`, '/x/…'],
  [`/x/svc_live_${SECRET.replace('B', '%42')}`, '/x/…'],
  [`/x/%2573vc_live_${SECRET}`, '/x/%2573vc_live_…'],
  [`/x?${SECRET}`, '/x?…'],
  ['/x?secret=whsec_Ew4+0/oCL9-vo_6=&y=1', '/x?secret=…&y=1'],
  ['/x?%77hsec%5FEw4%2B0%3D', '/x?…'],
  // Short secrets of other systems, by the names of their parameters.
  ['/v1/svc/stream?token=op-7&symbols=A', '/v1/svc/stream?token=…&symbols=A'],
  ['/jobs?x=1&access_token=sesame', '/jobs?x=1&access_token=…'],
  ['/v2/aggs/ticker/A?apiKey=0123456789abcdef', '/v2/aggs/ticker/A?apiKey=…'],
  ['/udf/history?symbol=A&key=abc&from=1', '/udf/history?symbol=A&key=…&from=1'],
  ['/x?API_KEY=a&api-key=b&x-api-key=c', '/x?API_KEY=…&api-key=…&x-api-key=…'],
  ['/x?t%6Fken=a%26b&api%2Dkey=c', '/x?token=…&api-key=…'],
  ['/x?password=a;client_secret=b', '/x?password=…;client_secret=…'],
  ['/x?token[]=a&Authorization=Bearer%20b', '/x?token[]=…&Authorization=…'],
  // Names that only look like them.
  ['/v1/svc/screener?sort=market_cap&cursor=abc', '/v1/svc/screener?sort=market_cap&cursor=abc'],
  ['/x?key_id=key_1&tokens=&monkey=a&author=b', '/x?key_id=key_1&tokens=&monkey=a&author=b'],
])('the target %s is logged as %s', (target, masked) => {
  const log = openLog('info');
  log.request({ ...line, target });
  vi.advanceTimersByTime(logLimits.flushMs);
  expect(lines()[0].target).toBe(masked);
});
