/** Schemas of Arrow responses whose encoding is cached; each takes a few kilobytes. */
export const arrowSchemaLimits = { entriesMax: 200 };
