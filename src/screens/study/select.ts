/** Puts numbers at the places that they have in their order, without ordering the others. */

/** Numbers of which a sample tells the pivot: fewer are not worth it. */
const SAMPLED_MIN = 600;

/**
 * Moves numbers so that each of some places has the number that it has in their order.
 *
 * @param values Without NaN.
 * @param places Ascending.
 */
export function select(values: Float64Array, places: readonly number[]): void {
  selectBetween(values, places, 0, values.length - 1);
}

function selectBetween(
  values: Float64Array,
  places: readonly number[],
  first: number,
  last: number,
): void {
  if (places.length === 0 || last <= first) return;
  const middle = places.length >> 1;
  const place = places[middle];
  selectOne(values, place, first, last);
  selectBetween(values, places.slice(0, middle), first, place - 1);
  selectBetween(values, places.slice(middle + 1), place + 1, last);
}

/** The algorithm of Floyd and Rivest (1975), with the bounds of a sample as they give them. */
function selectOne(values: Float64Array, place: number, first: number, last: number): void {
  let [left, right] = [first, last];
  while (left < right) {
    if (right - left > SAMPLED_MIN) {
      const count = right - left + 1;
      const rank = place - left + 1;
      const log = Math.log(count);
      const size = 0.5 * Math.exp((2 * log) / 3);
      const sign = rank < count / 2 ? -1 : 1;
      const shift = 0.5 * sign * Math.sqrt((log * size * (count - size)) / count);
      const from = Math.max(left, Math.floor(place - (rank * size) / count + shift));
      const to = Math.min(right, Math.floor(place + ((count - rank) * size) / count + shift));
      selectOne(values, place, from, to);
    }
    const pivot = values[place];
    let [low, high] = [left, right];
    while (low <= high) {
      while (values[low] < pivot) low++;
      while (values[high] > pivot) high--;
      if (low > high) break;
      const value = values[low];
      values[low++] = values[high];
      values[high--] = value;
    }
    // Numbers between both ends are equal to the pivot.
    if (place <= high) right = high;
    else if (place >= low) left = low;
    else return;
  }
}
