/** Takes tokens as fast as it can and prints the moments at which it got one. */

import { openRequestPace } from '../../src/ingest/request-pace.ts';

const ATTEMPTS = 1500;
const pace = openRequestPace(process.argv[2]);
const moments: number[] = [];
for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
  let momentMs = 0;
  const clock = () => {
    momentMs = Date.now();
    return momentMs;
  };
  if (pace.take('host', { requests: 5, windowS: 0.1 }, clock) === 0) moments.push(momentMs);
}
pace.close();
console.log(JSON.stringify(moments));
