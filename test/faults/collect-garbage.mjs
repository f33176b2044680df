/**
 * Loaded before everything else into a server: each of its threads collects its garbage every
 * second, so that what is still there is held by somebody. So the server under test has no hooks.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
setInterval(collect, 1000).unref();
