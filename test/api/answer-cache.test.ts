import { describe, expect, it } from 'vitest';
import { createAnswer } from '../../src/api/answer.ts';
import { createAnswerCache } from '../../src/api/answer-cache.ts';

const KILOBYTE = 1024;
const answer = createAnswer(200, 'text/plain', Buffer.alloc(KILOBYTE));

describe('createAnswerCache', () => {
  it('gives an answer back for its own snapshot only', () => {
    const cache = createAnswerCache(1_000_000);
    cache.put('question', 's1', answer);
    expect(cache.get('question', 's1')).toBe(answer);
    expect(cache.get('question', 's2')).toBeUndefined();
    expect(cache.get('other', 's1')).toBeUndefined();
  });

  it('drops the least recently used answers first', () => {
    // An entry counts 1 KiB beside its body, so ten fit.
    const cache = createAnswerCache(20 * 2 * KILOBYTE);
    for (let i = 0; i < 20; i++) cache.put(`q${i}`, 's', answer);
    cache.get('q0', 's');
    cache.put('new', 's', answer);
    expect(cache.get('q0', 's')).toBe(answer);
    expect(cache.get('q1', 's')).toBeUndefined();
    expect(cache.get('q2', 's')).toBe(answer);
  });

  it('keeps of a short body no more than its own bytes', () => {
    // Node cuts short buffers out of one of 64 KiB: a cache of 16 MB held 32.
    const cache = createAnswerCache(1_000_000);
    const body = Buffer.from('short');
    expect(body.buffer.byteLength).toBeGreaterThan(body.length);
    cache.put('question', 's', createAnswer(200, 'text/plain', body));
    const kept = cache.get('question', 's')?.body as Buffer;
    expect(kept.toString()).toBe('short');
    expect(kept.buffer.byteLength).toBe(kept.length);
  });

  it('counts an answer once, however often it is put', () => {
    const cache = createAnswerCache(20 * 2 * KILOBYTE);
    cache.put('first', 's', answer);
    for (let i = 0; i < 100; i++) cache.put('again', 's', answer);
    expect(cache.get('first', 's')).toBe(answer);
  });

  it('keeps no answer that would push out most others', () => {
    const cache = createAnswerCache(100 * KILOBYTE);
    cache.put('large', 's', createAnswer(200, 'text/plain', Buffer.alloc(10 * KILOBYTE)));
    expect(cache.get('large', 's')).toBeUndefined();
  });
});
