/** Responses with 401 to one address in a minute. */
export const failedAuthLimits = { perWindow: 60, windowS: 60 };
