/** What `JSON.parse` gives. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
