/** What `JSON.parse` gives: documents differ by verb and answers by route, and tests assert them. */
export type ParsedJson = ReturnType<typeof JSON.parse>;
