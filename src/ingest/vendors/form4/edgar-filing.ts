/** A filing that an index or feed of EDGAR names. */

export interface EdgarFiling {
  /** `4`, `4/A`, `5`, `5/A`. */
  form: string;
  accession: string;
  /** Path of the whole submission, below `/Archives/`. */
  path: string;
  /** Registrants in the index or feed: its issuer and owners. */
  ciks: number[];
}

/**
 * Returns true for Forms 4 and 5. Form 3 lists a new insider's holdings and has no transactions.
 */
export function isTransactionForm(form: string): boolean {
  return /^[45](\/A)?$/.test(form);
}
