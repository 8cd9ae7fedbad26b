import type { ModulesContainer } from '@nestjs/core';
import type { Church } from '../config/index.js';
import type { ErrorKind } from '../http/index.js';
import { COUNT, type JsonSchema, textUpTo } from '../values/index.js';
import { VERSION } from '../version.js';
import { allFailures, codeSchema, failureExamples, failuresOf } from './failures.js';
import type { OpenApi } from './openapi.js';
import { operationObject } from './operations.js';
import { type DocumentedRoute, documentedRoutes } from './routes.js';
import { type RequestForm, Schemas } from './schemas.js';

const DESCRIPTION = `
Donation processors send gifts and reversals. Finance checks deposits.

**Credentials:** every call needs a user name and a password, by HTTP Basic authentication. The church provides them. A program
should use a token (\`offt_…\`) in place of the password, or send it alone as \`Authorization: Bearer offt_…\`. A token may make
only the calls of its scopes; each call below names its scope.

**200 means recorded.** Every other answer is a problem document (RFC 9457). Its \`code\` is for programs, and its \`detail\` says
what to do. With a 4xx nothing was stored. With a 5xx or a cut connection the result is unknown: repeat the call with the same
\`Idempotency-Key\`.

**The schemas show the form to send.** Other forms of a field that are accepted too, for old and simple clients, are in its
description. In a body, names of fields may have any letter case. \`null\` and blank text count as omitted, and unknown names are
ignored, unless the call refuses them with a 400. Texts are trimmed, and brought to the Unicode form NFC, before their length is checked.

An unknown path gets a 404 \`not_found\`. A method that a path does not support gets a 405 \`method_not_allowed\` with \`Allow\`.
The letter case of a path and one trailing slash do not matter. An unknown or repeated query parameter gets a 400 that names it.
A call that takes no body refuses a body other than \`null\` and \`{}\` with a 400. A page in a browser may call the API only from
the service's own address; an \`Origin\` of another site gets a 403. Every answer has the header \`X-Request-Id\`. Send your own
id (1 to 64 of \`A-Z a-z 0-9 . _ -\`) to find a call in your log and in the church's.
`.trim();

const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

const HEADERS: OpenApi['components']['headers'] = {
  'X-Request-Id': {
    description: 'The request’s id. It is your own if you sent a valid one.',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 64, examples: ['9f4a1c1e-5f0b-4b6e-8a53-0c5d2f1e7a90'] },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the answer of an earlier call. Otherwise the header is missing.',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': {
    description: 'Asks for credentials.',
    required: true,
    schema: { ...textUpTo(200), examples: ['Basic realm="Offertory", charset="UTF-8"'] },
  },
  'Retry-After': {
    description: 'Seconds after which to repeat the call.',
    required: true,
    schema: { ...COUNT, examples: [5] },
  },
};

/** The document of these modules for this church, apart from the server's address. */
export function makeDocument(
  modules: ModulesContainer,
  church: Church,
  form: RequestForm = 'canonical',
): Omit<OpenApi, 'servers'> {
  const routes = documentedRoutes(modules).sort((a, b) => a.operation.group.position - b.operation.group.position);
  const groups = new Set(routes.map(({ operation }) => operation.group));
  const schemas = new Schemas(church, form);
  const paths = pathsOf(routes, schemas);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Offertory',
      version: VERSION,
      summary: 'Gift intake',
      description: DESCRIPTION,
      contact: { name: 'The church that runs this service' },
      license: LICENSE,
    },
    tags: [...groups].map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: withCodes(schemas.all(), allFailures(routes)),
      examples: failureExamples([...new Set(routes.flatMap(failuresOf))]),
      headers: HEADERS,
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'User name and password, or a token of the user as the password, in UTF-8.',
        },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'offt_…', description: 'A token.' },
      },
    },
  };
}

function withCodes(schemas: Record<string, JsonSchema>, kinds: readonly ErrorKind[]): Record<string, JsonSchema> {
  const { Problem } = schemas;
  const code = Problem?.properties?.['code'];
  if (code === undefined) throw new Error('No route has a problem document');
  return { ...schemas, Problem: { ...Problem, properties: { ...Problem?.properties, code: codeSchema(kinds, code) } } };
}

function pathsOf(routes: readonly DocumentedRoute[], schemas: Schemas): OpenApi['paths'] {
  const paths: Record<string, OpenApi['paths'][string]> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationObject(route, schemas) };
  }
  return paths;
}
