import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCliFolder } from '../support/run-cli.ts';

const folder = useCliFolder();

describe('backfill symbols', () => {
  it('asks for a contact before it goes to the network', async () => {
    const { code, stderr } = await folder.run('backfill', 'symbols');
    expect(code).not.toBe(0);
    expect(stderr).toContain('set TAPEWORKS_CONTACT to your e-mail address');
  });

  it('refuses a file that is no directory', async () => {
    const path = join(folder.dataDir, 'other.txt');
    writeFileSync(path, 'a,b\n1,2\n');
    const { code, stderr } = await folder.run('backfill', 'symbols', path);
    expect(code).toBe(2);
    expect(stderr).toContain('nasdaqlisted.txt');
  });
});
