import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../support/folders.ts';
import { systemdAnalyze } from '../support/tools.ts';
import { linesOf, unitPaths, units } from './service-units.ts';

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
    for (const unit of units) {
      expect(linesOf(unit, 'UMask')).toEqual(['0077']);
      expect(linesOf(unit, 'StateDirectoryMode')).toEqual(['0700']);
    }
    expect(linesOf(units[1], 'After')[0]).toMatch(/redis-server\.service.*valkey\.service/);
  });

  it.skipIf(!systemdAnalyze)('is what systemd accepts, without a warning', () => {
    const folder = freshFolder();
    const paths = unitPaths.map((path) => {
      const copy = join(folder, basename(path));
      // The verifier looks for the program of the machine that is installed.
      const unit = readFileSync(path, 'utf8').replace('/usr/bin/node', '/bin/true');
      writeFileSync(copy, unit);
      return copy.replace('@.service', '@serve.service');
    });
    const options = { encoding: 'utf8', stdio: 'pipe' } as const;
    expect(execFileSync(String(systemdAnalyze), ['verify', ...paths], options)).toBe('');
  });
});
