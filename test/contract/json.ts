/** A value that `JSON.parse` returns. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
