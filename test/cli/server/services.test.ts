import { describe, expect, it } from 'vitest';
import { linesOf, units } from '../support/service-units.ts';

describe('every unit', () => {
  it('calls the program itself, after the network, and stops within its time', () => {
    expect(units).toHaveLength(2);
    for (const unit of units) {
      expect(linesOf(unit, 'ExecStart')).toEqual([
        expect.stringMatching(/^\/usr\/bin\/node \/opt\/tapeworks\/bin\/tapeworks\.js /),
      ]);
      expect(linesOf(unit, 'After')[0]).toContain('network-online.target');
      expect(Number(linesOf(unit, 'TimeoutStopSec'))).toBeGreaterThan(30);
    }
    expect(linesOf(units[1], 'After')[0]).toMatch(/redis-server\.service.*valkey\.service/);
  });
});
