/** Failures of a disk, told with the folder and what to do: Node names neither. */

import { isDiskFull } from '../../src/base/disk-full.ts';
import { TapeworksError } from '../../src/base/errors.ts';

/**
 * Does what fills a folder.
 *
 * @throws {TapeworksError} for a disk that is full, a file where the folder should be, missing rights.
 */
export async function fillFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw told(error, folder);
  }
}

function told(error: unknown, folder: string): unknown {
  const { code = '', path = folder } = error as NodeJS.ErrnoException;
  // The disk that is copied from.
  if (!path.startsWith(folder)) return error;
  const because = (text: string) => new TapeworksError(text, { cause: error });
  if (isDiskFull(error)) {
    return because(`no space left for "${folder}": free room and run the same command again`);
  }
  if (['EEXIST', 'ENOTDIR'].includes(code)) {
    return because(`"${path}" is a file: give a folder, or the path of a new one`);
  }
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
    return because(`"${path}" can't be read or written: give this user the right to`);
  }
  return error;
}
