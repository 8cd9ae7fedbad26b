import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApi, OperationObject, ResponseObject } from '../../src/api-document/openapi.js';
import { foldFieldName } from '../../src/http/index.js';
import type { Exchange } from './exchanges.js';
import { isAbsent, type JsonSchema, normalizeText } from '../../src/values/index.js';

type Document = Omit<OpenApi, 'servers'>;

const PROBLEM = 'application/problem+json';
const OPTIONS = {
  // The document has keywords of OpenAPI around its schemas; the linter checks those.
  strict: false,
  validateSchema: false,
  allErrors: true,
  formats: {
    int32: { type: 'number', validate: Number.isInteger },
    'idn-email': true,
    date: /^\d{4}-\d\d-\d\d$/,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  },
} as const;

/** AddContribution with `?dryRun=true` is PreviewContribution. The document leaves this alias out (ADR 60). */
const ALIAS = { route: '/Api/AddContribution', parameter: 'dryrun', of: '/Api/PreviewContribution' } as const;

/**
 * Compares requests and answers with the API's document. An accepted request is compared with all that is accepted: the forms
 * that the document has as schemas, and those that it states in words (ADR 60). So no other form can be accepted unnoticed.
 */
export class DocumentCheck {
  private readonly answers = new Ajv2020(OPTIONS);
  private readonly requests = new Ajv2020(OPTIONS);
  private readonly compiled = new Map<string, ValidateFunction>();

  /**
   * @param document as it is served.
   * @param accepted the same with all forms of requests.
   */
  constructor(
    private readonly document: Document,
    private readonly accepted: Document,
  ) {
    this.requests.addSchema(accepted, 'api');
    this.answers.addSchema(closed(document), 'api');
  }

  /** The differences between this exchange and the document. */
  faults(sent: Exchange): string[] {
    const exchange = withoutAlias(sent);
    // The answer to HEAD is that of GET without its body.
    if (exchange.method === 'HEAD') return [];
    const path = exchange.route?.replaceAll(/:(\w+)/g, '{$1}');
    const [operation, acceptedBy] = [this.document, this.accepted].map(({ paths }) =>
      path === undefined ? undefined : paths[path]?.[exchange.method.toLowerCase()],
    );
    const found =
      path === undefined || operation === undefined || acceptedBy === undefined
        ? this.faultsOfUndocumented(exchange)
        : [...this.faultsOfAnswer(exchange, path, operation), ...this.faultsOfRequest(exchange, path, acceptedBy)];
    const which = `${exchange.method} ${exchange.route ?? exchange.url} answered ${exchange.status}`;
    return found.map((fault) => `${which}: ${fault}`);
  }

  /** Without a documented route, a failure must still be a problem document. */
  private faultsOfUndocumented({ headers, body }: Exchange): string[] {
    if (essence(headers['content-type']) !== PROBLEM) return [];
    return this.validate(this.answers, ['components', 'schemas', 'Problem'], JSON.parse(body.toString()));
  }

  private faultsOfAnswer(
    { method, status, headers, body }: Exchange,
    path: string,
    operation: OperationObject,
  ): string[] {
    const response = operation.responses[status];
    if (response === undefined) return ['this status is not documented'];
    const type = essence(headers['content-type']);
    if (!(type in response.content)) return [`the type ${type} is not documented`];
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema'];
    const value: unknown = type.endsWith('json') ? JSON.parse(body.toString()) : body.toString();
    return [...this.validate(this.answers, pointer, value), ...this.faultsOfHeaders(response, headers)];
  }

  private faultsOfHeaders(response: ResponseObject, headers: Exchange['headers']): string[] {
    return Object.keys(response.headers).flatMap((name) => {
      const sent = headers[name.toLowerCase()];
      const required = this.document.components.headers[name]?.required === true;
      if (sent === undefined) return required ? [`the header ${name} is missing`] : [];
      return this.validateText(['components', 'headers', name, 'schema'], String(sent), `header ${name}`);
    });
  }

  /**
   * An accepted request must be one that the document allows, unless its answer is a replay: a release that ignored a field
   * accepted any value.
   */
  private faultsOfRequest(exchange: Exchange, path: string, operation: OperationObject): string[] {
    if (exchange.status >= 300 || exchange.headers['idempotency-replayed'] !== undefined) return [];
    const pointer = ['paths', path, exchange.method.toLowerCase()];
    const sent = sentParameters(exchange, path);
    const ofKnown = (operation.parameters ?? []).flatMap(({ name, in: place, required }, i) => {
      const value = sent[place]?.get(foldFieldName(name));
      if (value === undefined) return required ? [`the parameter ${name} was not sent`] : [];
      return this.validateText([...pointer, 'parameters', String(i), 'schema'], value, `parameter ${name}`);
    });
    const ofParameters = [...ofKnown, ...unknownParameters(sent['query'], operation)];
    if (operation.requestBody === undefined) return ofParameters;
    if (!operation.requestBody.required && exchange.requestBody.length === 0) return ofParameters;
    const type = essence(exchange.requestHeaders['content-type']);
    const schema = operation.requestBody.content[type]?.schema;
    if (schema === undefined) return [...ofParameters, `a body of the type ${type} was accepted`];
    if (!type.endsWith('json')) return ofParameters;
    const accepted = acceptedPart(exchange);
    if (accepted === undefined) return ofParameters;
    const body = folded(accepted, schema, (one) => this.resolved(one));
    const bodyPointer = [...pointer, 'requestBody', 'content', type, 'schema'];
    return [...ofParameters, ...this.validate(this.requests, bodyPointer, body).map((fault) => `the body ${fault}`)];
  }

  private resolved(schema: JsonSchema): JsonSchema {
    return this.accepted.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  }

  /** Parameters and headers are text, even if the schema is a number. */
  private validateText(pointer: readonly string[], text: string, what: string): string[] {
    const readings = [text, ...(text !== '' && !Number.isNaN(Number(text)) ? [Number(text)] : [])];
    const faults = readings.map((value) => this.validate(this.requests, pointer, value));
    return faults.some((list) => list.length === 0) ? [] : faults.flat().map((fault) => `the ${what} ${fault}`);
  }

  private validate(ajv: Ajv2020, pointer: readonly string[], value: unknown): string[] {
    const escaped = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const $ref = `api#/${escaped.join('/')}`;
    const key = `${ajv === this.answers ? 'answer' : 'request'} ${$ref}`;
    const check = this.compiled.get(key) ?? ajv.compile({ $ref });
    this.compiled.set(key, check);
    if (check(value)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** The document with undocumented fields of answers forbidden. */
function closed(document: Document): Document {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => [name, { ...schema, additionalProperties: false }] as const,
  );
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

function essence(type: unknown): string {
  return typeof type === 'string' ? (type.split(';')[0] ?? '').trim().toLowerCase() : '';
}

/** The body of an accepted request, without the refused gifts of a batch; undefined if all of them were refused. */
function acceptedPart({ requestBody, body }: Exchange): object | undefined {
  const sent = JSON.parse(new TextDecoder().decode(requestBody)) as Readonly<Record<string, unknown>>;
  const { Results: results } = JSON.parse(body.toString()) as { Results?: readonly { readonly Status: number }[] };
  const [, gifts] = Object.entries(sent).find(([name]) => foldFieldName(name) === foldFieldName('Gifts')) ?? [];
  if (!Array.isArray(gifts) || results === undefined) return sent;
  const accepted: unknown[] = gifts.filter((_gift, index) => results[index]?.Status === 200);
  return accepted.length === 0 ? undefined : { Gifts: accepted };
}

/**
 * A body after applying the rules that the document states only in words: names in any letter case, unknown fields
 * ignored, texts trimmed, and empty values left out.
 */
function folded(sent: unknown, schema: JsonSchema, resolved: (schema: JsonSchema) => JsonSchema): unknown {
  if (typeof sent === 'string') return normalizeText(sent);
  const { items, properties } = resolved(schema);
  if (Array.isArray(sent))
    return sent.map((item: unknown) => (items === undefined ? item : folded(item, items, resolved)));
  if (typeof sent !== 'object' || sent === null || properties === undefined) return sent;
  const spelling = new Map(Object.entries(properties).map(([name, field]) => [foldFieldName(name), { name, field }]));
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      const known = spelling.get(foldFieldName(name));
      if (known === undefined || isAbsent(value)) return [];
      return [[known.name, folded(value, known.field, resolved)]];
    }),
  );
}

/** The call of which this exchange is an alias; otherwise the exchange. */
function withoutAlias(exchange: Exchange): Exchange {
  const [path = '', query = ''] = exchange.url.split('#', 1)[0]?.split('?', 2) ?? [];
  if (exchange.route !== ALIAS.route) return exchange;
  const others = new URLSearchParams(query);
  const sent = [...others].filter(([name]) => foldFieldName(name) === ALIAS.parameter);
  // A call with an invalid one is refused.
  if (sent.length !== 1 || exchange.status >= 300) return exchange;
  const [[name, value] = ['', '']] = sent;
  others.delete(name);
  const isPreview = normalizeText(value).toLowerCase() === 'true';
  return { ...exchange, url: `${path}?${others.toString()}`, ...(isPreview && { route: ALIAS.of }) };
}

/** Faults for accepted query parameters that are not documented. */
function unknownParameters(
  query: ReadonlyMap<string, string> = new Map(),
  { parameters = [] }: OperationObject,
): string[] {
  const known = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => foldFieldName(name));
  return [...query.keys()]
    .filter((name) => !known.includes(name))
    .map((name) => `the parameter ${name} is not documented`);
}

/** The parameters in the path, the query and the headers, by folded names. */
function sentParameters({ url, requestHeaders }: Exchange, path: string): Record<string, Map<string, string>> {
  // Not with URL, which would remove a source that is a dot from the path.
  const [address = ''] = url.split('#', 1);
  const [pathname = '', ...queries] = address.split('?');
  const pattern = new RegExp(`${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`, 'i');
  const fold = (entries: Iterable<[string, unknown]>): Map<string, string> =>
    new Map([...entries].map(([name, value]) => [foldFieldName(name), normalizeText(String(value))]));
  return {
    path: fold(
      Object.entries(pattern.exec(pathname)?.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    ),
    query: fold(new URLSearchParams(queries.join('?'))),
    header: fold(Object.entries(requestHeaders)),
  };
}
