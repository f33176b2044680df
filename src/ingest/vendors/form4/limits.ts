/** Filings of insiders. */
export const form4Limits = {
  /** EDGAR takes 30 rows a table; the largest documents have 200 KB. */
  documentBytesMax: 4 * 1024 * 1024,
  /** Part of a submission that is read: its first document is the filing. */
  submissionBytesMax: 16 * 1024 * 1024,
  /** Bounds of a quarter's data set, which has some 60,000 filings and 150,000 transactions. */
  filingsMax: 200_000,
  linesPerFilingMax: 1000,
  transactionsMax: 4_000_000,
  /** Filings of a day that are staged together: an interruption loses no more of them. */
  filingsPerSegment: 250,
  requestsAtOnce: 4,
  feedEntriesPerPage: 100,
  /** A busy day has 6000 entries. */
  feedPagesMax: 100,
  /** Age of filings that are in data sets by now, and no longer looked up singly. */
  askedSinglyDays: 250,
  /** Default history: the days that sums over 90 days need. */
  historyDays: 92,
};
