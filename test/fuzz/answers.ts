import { STATUS_CODES } from 'node:http';
import { STATUS_OF_CODE } from '../contract/error-codes.js';
import type { RawAnswer } from '../support/raw-http.js';
import type { Header } from './request.js';

/** A violation of the contract. */
export class Fault extends Error {}

/** The object in an answer. */
export type Body = Readonly<Record<string, unknown>>;

/** The kinds of successful answers. Each has exactly these fields, in this order. */
const SHAPES = {
  gift: ['PeopleId', 'ContributionId', 'NewPerson', 'MultipleMatches', 'Source'],
  'dry run': ['wouldCreate', 'peopleId', 'matchedOn', 'candidates'],
  batch: ['Results'],
  reversal: ['operation', 'peopleId', 'contributionId', 'source'],
  reinstatement: ['peopleId', 'contributionIds'],
  move: ['contributionIds'],
  deposit: [
    ...[
      'id',
      'source',
      'depositId',
      'user',
      'date',
      'status',
      'currency',
      'itemCount',
      'unknownCount',
      'gross',
      'fees',
    ],
    ...['reversed', 'expected', 'amount', 'difference', 'createdAt', 'reconciledAt'],
  ],
} as const;
export type Shape = keyof typeof SHAPES | 'problem' | 'none';

const PROBLEM = ['type', 'title', 'status', 'detail', 'instance', 'code', 'Error'];
const OWN_ID = /^[A-Za-z0-9._-]{1,64}$/;
const INTERNAL = /node_modules|\bat \S+ \(|QueryFailed|_fkey|_pkey|typeorm|\.[tj]s:\d/i;

export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Fault(what);
}

/** The kind of the answer and its JSON object. @throws Fault if the contract has no such answer. */
export function readAnswer(answer: RawAnswer, headOnly: boolean): { shape: Shape; body: Body } {
  assertHeaders(answer);
  if (headOnly) return { shape: 'none', body: {} };
  must(!INTERNAL.test(answer.text), 'the answer reveals internal details');
  const body = parseObject(answer.text);
  if (answer.status !== 200) {
    assertProblem(answer, body);
    return { shape: 'problem', body };
  }
  must(answer.headers.get('content-type') === 'application/json; charset=utf-8', 'a success is application/json');
  const shape = (Object.keys(SHAPES) as (keyof typeof SHAPES)[]).find(
    (name) => SHAPES[name][0] === Object.keys(body)[0],
  );
  must(
    shape !== undefined,
    'a success is a gift, a dry run, a batch, a reversal, a reinstatement, a move or a deposit',
  );
  must(Object.keys(body).join() === SHAPES[shape].join(), 'a success has exactly its fields, in order');
  if (shape === 'batch') for (const result of resultsOf(body)) assertResult(result, answer);
  return { shape, body };
}

/** The result of a gift of a batch. */
export interface Result {
  readonly Index: number;
  readonly Status: number;
  readonly Answer?: Body;
  readonly Problem?: Body;
}

/** The results of a batch. @throws Fault unless they are in order. */
export function resultsOf(body: Body): readonly Result[] {
  const { Results: results } = body;
  must(Array.isArray(results) && results.length > 0, 'a batch has a list of results');
  must(
    (results as readonly Result[]).every(({ Index }, place) => Index === place),
    'the results of a batch are in the order of its gifts',
  );
  return results as readonly Result[];
}

function assertResult({ Status, Answer, Problem, ...others }: Result, answer: RawAnswer): void {
  must(Object.keys(others).join() === 'Index', 'a result has exactly its fields');
  must(
    (Answer === undefined) === (Status !== 200) && (Problem === undefined) === (Status === 200),
    'a result is one of two',
  );
  if (Answer !== undefined) must(Object.keys(Answer).join() === SHAPES.gift.join(), 'a recorded gift has its answer');
  if (Problem !== undefined) assertProblemBody(Status, answer.headers, Problem);
}

/** Checks that the caller's request id is returned if exactly one usable id was sent. @throws Fault */
export function assertOwnId({ headers }: RawAnswer, sent: readonly Header[]): void {
  const [id, ...others] = sent.flatMap(([name, value]) => (/^x-request-id$/i.test(name) ? [value.trim()] : []));
  if (id === undefined || others.length > 0) return;
  must((headers.get('x-request-id') === id) === OWN_ID.test(id), 'the request id is not the usable one of the caller');
}

function assertHeaders({ headers, status }: RawAnswer): void {
  must(OWN_ID.test(headers.get('x-request-id') ?? ''), 'every answer has a request id');
  must(headers.get('cache-control') === 'no-store', 'every answer forbids caching');
  for (const name of ['x-powered-by', 'etag', 'server', 'set-cookie'])
    must(!headers.has(name), `no answer has ${name}`);
  must((status === 401) === headers.has('www-authenticate'), 'a 401 and no other answer has WWW-Authenticate');
  must((status === 405) === headers.has('allow'), 'a 405 and no other answer has Allow');
}

function parseObject(text: string): Body {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body;
  } catch {
    // The error is thrown below.
  }
  throw new Fault('the answer is not a JSON object');
}

function assertProblem({ status, headers }: RawAnswer, body: Body): void {
  must(status < 500, `a ${status}`);
  must(
    headers.get('content-type') === 'application/problem+json; charset=utf-8',
    'a failure is application/problem+json',
  );
  assertProblemBody(status, headers, body);
}

function assertProblemBody(status: number, headers: RawAnswer['headers'], body: Body): void {
  must(
    Object.keys(body)
      .filter((key) => key !== 'errors')
      .join() === PROBLEM.join(),
    'a failure has exactly its fields, in order',
  );
  const { type, title, status: bodyStatus, detail, instance, code, errors } = body;
  must(type === 'about:blank' && title === STATUS_CODES[status] && bodyStatus === status, 'a failure names its status');
  // A request that is not valid HTTP has the same code, but its own statuses.
  const statuses = code === 'invalid_request' ? [400, 408, 431] : [STATUS_OF_CODE[String(code)]];
  must(statuses.includes(status), `the code ${String(code)} does not belong to ${status}`);
  must(status !== 429, 'no call exceeds a rate limit');
  must(
    typeof detail === 'string' && /\S/.test(detail) && body['Error'] === detail,
    'a failure has the same text as detail and Error',
  );
  must(instance === headers.get('x-request-id'), 'a failure names the request id');
  must(
    errors === undefined || (code === 'invalid_request' && isListOfFaults(errors)),
    'errors is a list of fields with messages',
  );
}

function isListOfFaults(errors: unknown): boolean {
  if (!Array.isArray(errors) || errors.length === 0) return false;
  return (errors as unknown[]).every((fault) => {
    if (typeof fault !== 'object' || fault === null || Object.keys(fault).join() !== 'field,message') return false;
    return Object.values(fault).every((text) => typeof text === 'string' && /\S/.test(text));
  });
}
