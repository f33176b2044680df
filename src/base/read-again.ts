import { CorruptDataError } from './errors.ts';

/**
 * Returns what a read gives, or a second one if the first finds damage: memory and cables flip bits
 * of single reads, and the bytes on the disk may be whole.
 *
 * @throws {CorruptDataError} Both reads find damage.
 */
export function readAgain<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CorruptDataError) return read();
    throw error;
  }
}
