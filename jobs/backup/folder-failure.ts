import { isDiskFull } from '../../src/base/disk-full.ts';
import { TapeworksError } from '../../src/base/errors.ts';

/** Runs work that fills a folder, and gives errors of its disk the folder and the remedy. */
export async function fillFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw told(error, folder);
  }
}

function told(error: unknown, folder: string): unknown {
  const { code = '', path = folder } = error as NodeJS.ErrnoException;
  // The error is about the source of the copy.
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
