import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { scratchName, scratchOwner } from '../../../src/base/config/scratch-names.ts';

it('knows its own names, with any end', () => {
  expect(scratchOwner(`${scratchName('segment')}-Xa9`)).toBe('running');
  expect(scratchOwner(`${scratchName('duckdb')}`)).toBe('running');
});

it('knows a process of this machine that is gone', () => {
  const { pid } = spawnSync('true');
  const name = scratchName('backup').replace(`-${process.pid}-`, `-${pid}-`);
  expect(scratchOwner(name)).toBe('gone');
  expect(scratchOwner(`segment-${pid}-x`)).toBe('gone');
});

// A second container over one volume had the same ids, and removed what the first one loaded.
it('leaves a process of another machine alone, whatever has its id here', () => {
  expect(scratchOwner('segment-1-on-00000000-x')).toBe('elsewhere');
  expect(scratchOwner(`duckdb-${process.pid}-on-00000000`)).toBe('elsewhere');
});

it('does not know other names', () => {
  expect(scratchOwner('2017q1_form345.zip.part')).toBeUndefined();
});
