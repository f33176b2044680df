/** Pages as examples: both envelopes at once. */

/** As cursors look; nobody can go on with this one. */
const CURSOR = 'upjHaMX5RlTKNJtMaNcf3PUxKwWxAy6HL-a80xk0VQdbMTc5NTAwMzIwMDAwMF0';

/** The first page of several. */
export function firstPage(data: readonly unknown[], total: number) {
  return {
    data,
    page_info: { hasNext: true, cursor: CURSOR, totalCount: total },
    has_more: true,
    cursor: CURSOR,
    total,
  };
}

/** A page with all there is. */
export function onlyPage(data: readonly unknown[]) {
  const total = data.length;
  return {
    data,
    page_info: { hasNext: false, totalCount: total },
    has_more: false,
    cursor: null,
    total,
  };
}
