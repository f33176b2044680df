import { expect, it } from 'vitest';
import { maskedTarget } from '../../../src/api/http/log.ts';

const SECRET = 'aB3'.repeat(11);

it.each([
  ['/v1/svc/quotes/ABC?format=csv', '/v1/svc/quotes/ABC?format=csv'],
  ['/v1/svc/quotes/a%62c?x=%73%20y', '/v1/svc/quotes/a%62c?x=%73%20y'],
  [`/x?api_key=svc_live_${SECRET}&y=1`, '/x?api_key=…&y=1'],
  ['/x?api_key=svc_test_', '/x?api_key=…'],
  [`/x/%73vc_live_${SECRET}`, '/x/…'],
  [`/x/svc%5Flive%5f${SECRET}`, '/x/…'],
  [`/x/svc_live_${SECRET.replace('B', '%42')}`, '/x/…'],
  [`/x/%2573vc_live_${SECRET}`, '/x/%2573vc_live_…'],
  [`/x?${SECRET}`, '/x?…'],
  ['/x?secret=whsec_Ew4+0/oCL9-vo_6=&y=1', '/x?secret=…&y=1'],
  ['/x?%77hsec%5FEw4%2B0%3D', '/x?…'],
])('%s is logged as %s', (target, masked) => {
  expect(maskedTarget(target)).toBe(masked);
});
