/** Yields items in batches of at most so many rows; a larger item is a batch alone. */
export function* rowBatches<Item extends { rowCount: number }>(
  items: Iterable<Item>,
  rowsMax: number,
): Generator<Item[]> {
  let batch: Item[] = [];
  let count = 0;
  for (const item of items) {
    if (count + item.rowCount > rowsMax && batch.length > 0) {
      yield batch;
      [batch, count] = [[], 0];
    }
    batch.push(item);
    count += item.rowCount;
  }
  if (batch.length > 0) yield batch;
}
