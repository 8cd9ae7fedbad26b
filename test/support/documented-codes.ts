import type { OpenApi } from '../../src/api-document/openapi.js';

/** A code that an operation can answer, with its status. */
export interface DocumentedCode {
  readonly code: string;
  readonly status: number;
}

/** The codes that a document of the API lists for an operation. */
export function documentedCodes({ paths }: Pick<OpenApi, 'paths'>, operationId: string): DocumentedCode[] {
  const operation = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find((one) => one.operationId === operationId);
  if (operation === undefined) throw new Error(`The document has no operation ${operationId}`);
  return Object.entries(operation.responses).flatMap(([status, { content }]) => {
    const examples = content['application/problem+json']?.examples ?? {};
    return Object.keys(examples).map((code) => ({ code, status: Number(status) }));
  });
}
