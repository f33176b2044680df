export const secLimits = {
  /** A company's file above this is refused unread; the largest have a fraction of it. */
  companyBytesMax: 64 * 1024 * 1024,
  /** Memory of each reading thread for short-lived values: nearly all that JSON makes. */
  threadYoungMegabytes: 24,
  /** Unpacked bytes of the companies whose rows are staged together. */
  batchBytes: 128 * 1024 * 1024,
  batchCompanies: 500,
  /** Rejected facts of one reason and company that the quarantine lists. */
  faultsListedMax: 100,
  /** Companies of a batch without a ticker that are named one by one. */
  lostListedMax: 20,
  /** Companies that are fetched before their rows are staged. */
  askedPerBatch: 50,
  /** Members of a zip that may be a set of financial statements, which has five. */
  setMembersMax: 50,
  /** Numbers of a set whose companies' rows are staged together. */
  setBatchFacts: 400_000,
  /** Memory of the database that joins the tables of a set; more goes to disk. */
  setMemory: '200MB',
  /** A row of a set's table above this makes the set damaged; labels have 512 characters. */
  setLineBytesMax: 128 * 1024,
  /** Numbers of a set whose filings are written together, and what a small filing counts as. */
  setPartNumbers: 100_000,
  setFilingNumbersMin: 400,
};
