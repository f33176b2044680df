import { firstNotBefore } from '../../base/search-sorted.ts';

/** Values by day, in the order of their days. Newer days mostly come later, so adding is cheap. */
export class ByDay<T> {
  readonly #days: number[] = [];
  readonly #values: T[] = [];

  get size(): number {
    return this.#days.length;
  }

  dayAt(place: number): number {
    return this.#days[place];
  }

  valueAt(place: number): T {
    return this.#values[place];
  }

  /** Returns the first place at or after a day; `size` if there is none. */
  placeOf(day: number): number {
    const days = this.#days;
    const { length } = days;
    if (length === 0 || days[length - 1] < day) return length;
    return firstNotBefore(0, length, (place) => days[place] < day);
  }

  get(day: number): T | undefined {
    const place = this.placeOf(day);
    return this.#days[place] === day ? this.#values[place] : undefined;
  }

  /** Returns the last values up to a day; undefined if days between two are not in the range. */
  runTo(day: number, count: number, [least, most]: readonly [number, number]): T[] | undefined {
    const last = this.placeOf(day);
    const first = last - count + 1;
    if (first < 0 || this.#days[last] !== day) return undefined;
    for (let place = first + 1; place <= last; place++) {
      const days = this.#days[place] - this.#days[place - 1];
      if (days < least || days > most) return undefined;
    }
    return this.#values.slice(first, last + 1);
  }

  set(day: number, value: T): void {
    const place = this.placeOf(day);
    if (place === this.#days.length) {
      this.#days.push(day);
      this.#values.push(value);
    } else if (this.#days[place] === day) this.#values[place] = value;
    else {
      this.#days.splice(place, 0, day);
      this.#values.splice(place, 0, value);
    }
  }
}
