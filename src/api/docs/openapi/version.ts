/** Version of the API; rises with additions. */
export const API_VERSION = '1.0.0';
