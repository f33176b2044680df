import { afterAll, beforeAll } from 'vitest';

/**
 * Changes limits of a part (`limits.redis`) for all tests of a file or of a `describe`, and brings
 * them back after these: files of tests share their process.
 */
export function useLimits<T extends object>(
  part: T,
  values: { [name in keyof T]?: T[name] extends number ? number : readonly number[] },
): void {
  const before = { ...part };
  beforeAll(() => void Object.assign(part, values));
  afterAll(() => void Object.assign(part, before));
}
