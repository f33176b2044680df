/** Vendors of rows by day or by symbol. */
export const calendarLimits = {
  /** Default range, from today on. */
  daysDefault: 30,
  daysMax: 400,
  /** Days of one request for all companies: Finnhub ends its response at some 1,500 rows. */
  daysPerRequest: 7,
  /** Symbols whose rows make one segment. */
  symbolsPerSegment: 50,
  /** Quarters from a known year end for which a company's fiscal year is still derived. */
  quartersMax: 12,
};
