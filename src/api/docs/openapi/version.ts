/** Version of the API; rises with additions. `/v1` never loses anything. */
export const API_VERSION = '1.0.0';
