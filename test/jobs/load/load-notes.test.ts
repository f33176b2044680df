import { expect, it } from 'vitest';
import { notesOf } from '../../../jobs/load/load-notes.ts';

const LOAD = {
  alreadyLoaded: false,
  accepted: 1500,
  rejected: 0,
  seriesChanged: 0,
  rowsChanged: 0,
};

// Daily files after `backfill stooq` served nothing, and the report named no way out.
it('says how bars of another source go on', () => {
  const example = { symbol: 'WAAA', source: 'stooq', basis: 'all' } as const;
  const noteOf = (source: string, basis: 'raw' | 'all') =>
    notesOf([{ ...LOAD, unserved: { count: 1500, example, source, basis } }]);
  expect(noteOf('files', 'raw')).toEqual([
    '1500 symbols of this load are stored and not served, as WAAA: its served bars are of stooq (all), these of files (raw). ' +
      'Bars of files go on only in a file with five sessions in common that agree: load one with these and, if they are so adjusted, with --basis all. ' +
      'explain WAAA DATE shows more, and repair WAAA DATE corrects a served bar',
  ]);
  expect(noteOf('files', 'all')[0]).toContain('agree: load one with these. explain');
  expect(noteOf('stooq', 'raw')[0]).not.toContain('go on');
});
