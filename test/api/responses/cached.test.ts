import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { codedBody } from '../../../src/api/http/coding.ts';
import { createResponse } from '../../../src/api/http/response.ts';
import { createResponseCache } from '../../../src/api/responses/cached.ts';

const KILOBYTE = 1024;
const answer = createResponse(200, 'text/plain', Buffer.alloc(KILOBYTE));

describe('createResponseCache', () => {
  it('returns a response for its own snapshot only', () => {
    const cache = createResponseCache(1_000_000);
    cache.put('question', 's1', answer);
    expect(cache.get('question', 's1')?.body).toBe(answer.body);
    expect(cache.get('question', 's2')).toBeUndefined();
    expect(cache.get('other', 's1')).toBeUndefined();
  });

  it('keeps of a short body no more than its own bytes', () => {
    // Node cuts short buffers out of one of 64 KiB: a cache of 16 MB held 32.
    const cache = createResponseCache(1_000_000);
    const body = Buffer.from('short');
    expect(body.buffer.byteLength).toBeGreaterThan(body.length);
    cache.put('question', 's', createResponse(200, 'text/plain', body));
    const kept = cache.get('question', 's')?.body as Buffer;
    expect(kept.toString()).toBe('short');
    expect(kept.buffer.byteLength).toBe(kept.length);
  });

  it('counts the coded forms of a response', async () => {
    // Twenty fit, without any form.
    const bytes = randomBytes(KILOBYTE).toString('hex');
    const text = createResponse(200, 'text/plain', Buffer.from(bytes.slice(0, KILOBYTE)));
    const cache = createResponseCache(20 * 2 * KILOBYTE);
    for (let i = 0; i < 20; i++) cache.put(`q${i}`, 's', text);
    await codedBody(cache.get('q18', 's')!, 'gzip');
    expect(cache.get('q0', 's')).toBeUndefined();
    expect(cache.get('q1', 's')).toBeDefined();
  });

  it('makes a coded form once for concurrent requests', async () => {
    const cache = createResponseCache(1_000_000);
    const kept = cache.put('question', 's', answer);
    const [first, second] = await Promise.all([codedBody(kept, 'br'), codedBody(kept, 'br')]);
    expect(second).toBe(first);
    expect(codedBody(cache.get('question', 's')!, 'br')).toBe(first);
    expect(first.buffer.byteLength).toBe(first.length);
  });

  it('keeps no response that would evict most others', () => {
    const cache = createResponseCache(100 * KILOBYTE);
    cache.put('large', 's', createResponse(200, 'text/plain', Buffer.alloc(10 * KILOBYTE)));
    expect(cache.get('large', 's')).toBeUndefined();
  });
});
