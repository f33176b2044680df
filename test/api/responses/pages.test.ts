import { describe, expect, it } from 'vitest';
import { pageHeaders, pageResponse } from '../../../src/api/responses/pages.ts';

const ROWS = ['{"symbol":"A"}', '{"symbol":"B"}'];

describe('pageResponse', () => {
  it('carries both envelopes', () => {
    const answer = pageResponse(ROWS, { total: 5, cursor: 'abc' });
    expect(answer.status).toBe(200);
    expect(answer.contentType).toBe('application/json');
    expect(JSON.parse(answer.body.toString())).toEqual({
      data: [{ symbol: 'A' }, { symbol: 'B' }],
      page_info: { hasNext: true, cursor: 'abc', totalCount: 5 },
      has_more: true,
      cursor: 'abc',
      total: 5,
    });
  });

  it('has a null flat cursor and no other on the last page, an empty one too', () => {
    const answer = pageResponse([], { total: 0, cursor: undefined }, ['X-A', '1']);
    expect(answer.headers).toEqual(['X-A', '1']);
    expect(JSON.parse(answer.body.toString())).toEqual({
      data: [],
      page_info: { hasNext: false, totalCount: 0 },
      has_more: false,
      cursor: null,
      total: 0,
    });
  });
});

describe('pageHeaders', () => {
  it('say the same for formats without an envelope', () => {
    expect(pageHeaders({ total: 5, cursor: 'abc' })).toEqual([
      'X-SVC-Total-Count',
      '5',
      'X-SVC-Next-Cursor',
      'abc',
    ]);
    expect(pageHeaders({ total: 5, cursor: undefined })).toEqual(['X-SVC-Total-Count', '5']);
  });
});
