/**
 * Makes counters of requests small in all tests. Those of a server reserve 170 MB, for which V8
 * collects garbage: each opening of accounts took up to 60 ms.
 */

import { countLimits } from '../../src/store/accounts/usage/limits.ts';

Object.assign(countLimits, { keysMax: 2 ** 12, accountsMax: 2 ** 10, addressesMax: 2 ** 14 });
