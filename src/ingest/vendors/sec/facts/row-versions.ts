/** Rows of a period as filings change them: each change is a version, dated by its filing. Pure. */

export interface DatedFiling {
  accession: string;
  form: string;
  filedAtMs: number;
}

/** What every version says besides its figures. */
export interface VersionHead {
  filedAt: number;
  form: string;
  accession: string;
  currency: string;
}

export type Version<F extends string> = VersionHead & Record<F, number | null>;

export type VersionsOf<F extends string> = Map<string, Version<F>[]>;

/**
 * Adds what a filing says of a period. A figure that it does not give is carried forward from the
 * version before, unless that is in another currency; a filing that changes nothing adds nothing.
 *
 * @param key Names the period.
 * @param apart Figures that are not carried forward with others: those of one basis go together.
 */
export function addVersion<F extends string>(
  versions: VersionsOf<F>,
  key: string,
  filing: DatedFiling,
  { currency, figures }: { currency: string; figures: Record<F, number | null> },
  apart?: (before: Record<F, number | null>) => readonly F[],
): void {
  const list = versions.get(key);
  const last = list?.at(-1);
  const fields = Object.keys(figures) as F[];
  const isCarried = last?.currency === currency;
  const merged = { ...figures };
  if (isCarried) {
    const kept = apart?.(last) ?? [];
    for (const field of fields) if (!kept.includes(field)) merged[field] ??= last[field];
  }
  if (isCarried && fields.every((field) => merged[field] === last[field])) return;
  const { filedAtMs: filedAt, form, accession } = filing;
  const version = { filedAt, form, accession, currency, ...merged };
  if (list) list.push(version);
  else versions.set(key, [version]);
}
