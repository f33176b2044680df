/** Lists that a client weighs its wishes in: `Accept`, `Accept-Encoding`. */

export interface Wish {
  /** Lower case. */
  name: string;
  /** 0, which refuses, to 1. */
  quality: number;
}

const QUALITY = /;\s*q=([01](?:\.\d{0,3})?)\s*(?:;|$)/i;

/** Reads the wishes in their order; an empty header has none. */
export function wishesFrom(header: string): Wish[] {
  return header
    .split(',')
    .map((part) => ({
      name: part.split(';', 1)[0].trim().toLowerCase(),
      quality: Number(QUALITY.exec(part)?.[1] ?? 1),
    }))
    .filter(({ name }) => name !== '');
}
