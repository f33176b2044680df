import { describe, expect, it } from 'vitest';
import { createStreamBound } from '../../../src/api/responses/stream-bound.ts';
import { HttpError } from '../../../src/base/errors.ts';

const three = () => [new Uint8Array(1), new Uint8Array(2), new Uint8Array(3)];

function refusal(check: () => void): Pick<HttpError, 'status' | 'headers'> {
  try {
    check();
  } catch (error) {
    if (error instanceof HttpError) return { status: error.status, headers: error.headers };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the bound on streamed responses', () => {
  it('refuses one more than it allows until one has ended', () => {
    const { check, counted } = createStreamBound(2);
    const [first, second] = [counted(three)(), counted(three)()].map((one) =>
      one[Symbol.iterator](),
    );
    check();
    first.next();
    check();
    second.next();
    expect(refusal(check)).toEqual({ status: 503, headers: ['Retry-After', '5'] });
    expect([...{ [Symbol.iterator]: () => first }]).toHaveLength(2);
    check();
  });

  it('releases a stream whose client disconnects, and one that fails', () => {
    const { check, counted } = createStreamBound(1);
    for (const _ of counted(three)()) break;
    check();
    const failing = counted(() => {
      throw new Error('damaged');
    })();
    expect(() => [...failing]).toThrow('damaged');
    check();
  });
});
