/** Takes a few tokens as fast as it can and prints the moments at which it got them. */

import { openRequestPace } from '../../../src/ingest/http/pace.ts';

const TOKENS = 6;
const pace = openRequestPace(process.argv[2]);
const moments: number[] = [];
while (moments.length < TOKENS) {
  let momentMs = 0;
  const clock = () => {
    momentMs = Date.now();
    return momentMs;
  };
  if (pace.take('host', { requests: 5, windowS: 0.1 }, clock) === 0) moments.push(momentMs);
}
pace.close();
console.log(JSON.stringify(moments));
