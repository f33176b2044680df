/** The parts of OpenAPI 3.1 that the description uses. */

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  style?: 'form';
  explode?: false;
  schema: JsonSchema;
  example?: unknown;
}

export interface Example {
  summary: string;
  value: unknown;
}

export interface MediaType {
  schema: JsonSchema;
  examples?: Record<string, Example>;
}

export interface HeaderObject {
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, MediaType>;
}

export interface RequestBody {
  required: boolean;
  content: Record<string, MediaType>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: (Parameter | Reference)[];
  requestBody?: RequestBody;
  responses: Record<string, ResponseObject | Reference>;
  /** Tokens of a response, or of each symbol in it. */
  'x-tokens'?: number;
  'x-tokens-per'?: 'answer' | 'symbol';
}

/** A request that a receiver of webhooks implements. */
export type EventOperation = Omit<Operation, 'description'> & { requestBody: RequestBody };

export interface PathItem {
  /** Present if the path is not under `/v1`. */
  servers?: { url: string }[];
  get?: Operation;
  post?: Operation;
  patch?: Operation;
  delete?: Operation;
  /** Response to all other methods except HEAD and OPTIONS. */
  'x-other-methods': Reference;
}

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: Record<string, unknown>;
  externalDocs: { description: string; url: string };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  /** Events by type. */
  webhooks: Record<string, { post: EventOperation }>;
  components: {
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, HeaderObject>;
    responses: Record<string, ResponseObject>;
    securitySchemes: Record<string, unknown>;
  };
}
