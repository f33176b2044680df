/**
 * A value that `JSON.parse` returns, untyped: documents differ by verb and responses by route, and
 * tests assert them.
 */
export type ParsedJson = ReturnType<typeof JSON.parse>;
