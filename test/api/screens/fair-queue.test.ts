import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../../src/api/screens/fair-queue.ts';

const LIMITS = {
  accountRunningMax: 2,
  runningMax: 3,
  accountsRunningMax: 4,
  accountWaitingMax: 2,
  waitingMax: 5,
};

const queueOf = (...work: string[]) => {
  const queue = new FairQueue<string>(LIMITS);
  for (const name of work) expect(queue.add(name[0], name)).toBeUndefined();
  return queue;
};

const turns = (queue: FairQueue<string>, count: number) =>
  Array.from({ length: count }, () => queue.next()).join(' ');

describe('turns', () => {
  it('go to the accounts in turn, however much work each has', () => {
    expect(turns(queueOf('a1', 'a2', 'b1'), 6)).toBe('a1 b1 a2 b1 a1 b1');
  });

  it('come to a new account before the others have had another one', () => {
    const queue = queueOf('a1', 'b1');
    expect(turns(queue, 1)).toBe('a1');
    queue.add('c', 'c1');
    expect(turns(queue, 4)).toBe('b1 a1 c1 b1');
  });

  it('do not exist without work', () => {
    expect(queueOf().next()).toBeUndefined();
  });

  it('come to work of two accounts twice', () => {
    const queue = queueOf('a1', 'b1');
    queue.add('c', 'a1');
    expect(turns(queue, 3)).toBe('a1 b1 a1');
    queue.remove('a', 'a1');
    expect(turns(queue, 2)).toBe('b1 a1');
  });
});

describe('work that waits', () => {
  it('starts when work of its account ends', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'a4');
    expect([queue.runningCount, queue.waitingCount]).toEqual([2, 2]);
    expect(turns(queue, 4)).toBe('a1 a2 a1 a2');
    queue.remove('a', 'a1');
    expect(turns(queue, 2)).toBe('a2 a3');
    queue.remove('a', 'a4');
    expect([queue.runningCount, queue.waitingCount]).toEqual([2, 0]);
  });

  it('is not that of an account without work under way', () => {
    const queue = queueOf('a1', 'a2', 'b1', 'b2', 'c1');
    expect([queue.runningCount, queue.waitingCount]).toEqual([4, 1]);
    expect(turns(queue, 4)).toBe('a1 b1 c1 a2');
    expect(queue.add('d', 'd1')).toBeUndefined();
    expect([queue.runningCount, queue.waitingCount]).toEqual([4, 2]);
    queue.remove('a', 'a1');
    expect(queue.next()).toBe('b1');
    expect([queue.runningCount, queue.waitingCount]).toEqual([4, 1]);
    expect(turns(queue, 4).split(' ')).toContain('d1');
  });
});

describe('too much work', () => {
  it('of an account is refused, and that of others is not', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'a4');
    expect(queue.add('a', 'a5')).toBe('account');
    expect(queue.add('a', 'a4')).toBeUndefined();
    expect(queue.add('b', 'b1')).toBeUndefined();
  });

  it('of all accounts is refused', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'c1', 'c2');
    expect(queue.waitingCount).toBe(5);
    expect(queue.add('d', 'd1')).toBe('all');
    queue.remove('c', 'c2');
    expect(queue.add('d', 'd1')).toBeUndefined();
  });
});
