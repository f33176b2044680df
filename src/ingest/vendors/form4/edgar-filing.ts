/** A filing that an index or feed of EDGAR names. */

export interface EdgarFiling {
  /** `4`, `4/A`, `5`, `5/A`. */
  form: string;
  accession: string;
  /** Of the whole submission, below `/Archives/`. */
  path: string;
  /** Registrants that the index or feed names it under: its issuer and owners. */
  ciks: number[];
}

/** Form 3 is left out: it lists what a new insider holds and has no transactions. */
export function isTransactionForm(form: string): boolean {
  return /^[45](\/A)?$/.test(form);
}
