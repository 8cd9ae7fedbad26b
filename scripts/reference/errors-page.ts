import type { OpenApi, OperationObject } from '../../src/api-document/openapi.js';
import { callsOf, codesOf, commonCodes } from './calls.js';
import { code, page, table } from './markdown.js';

const INTRODUCTION = `
Every failure of the service is a [problem document](fields.md#problem) (RFC 9457):

\`\`\`json
{
  "type": "about:blank",
  "title": "Unprocessable Entity",
  "status": 422,
  "detail": "There is no fund with FundId 9.",
  "instance": "9f4a1c1e-5f0b-4b6e-8a53-0c5d2f1e7a90",
  "code": "fund_not_found",
  "Error": "There is no fund with FundId 9."
}
\`\`\`

- Let your program decide by \`code\`. If it does not know a code, let it decide by the status.
- \`detail\` is for people. Its words may change.
- With a 4xx nothing was stored. With a 5xx, or without an answer, you cannot know:
  [When to repeat a call](../integrating.md#when-to-repeat-a-call) says what to do.
- A proxy in front of the service may answer by itself, in another form. Then the status decides.
`.trim();

interface ErrorCode {
  readonly name: string;
  readonly status: string;
  readonly when: string;
  /** The operations that name it. */
  readonly calls: readonly OperationObject[];
}

/** docs/reference/errors.md: every error code. */
export function errorsPage(document: OpenApi): string {
  const common = commonCodes(document);
  const codes = errorCodes(document);
  const own = codes.filter(({ name, calls }) => !common.includes(name) && calls.length > 0);
  const general = codes.filter((one) => !own.includes(one));
  return page('Errors', INTRODUCTION, [
    '## Errors of every call',
    table(['Status', 'Code', 'When'], general.map(row)),
    '## Errors of the calls of processors',
    tableWithCalls(own.map((one) => ({ ...one, calls: one.calls.filter(isForProcessors) }))),
    '## Errors of all other calls only',
    tableWithCalls(own.filter(({ calls }) => !calls.some(isForProcessors))),
  ]);
}

/** Sorted by status. */
function errorCodes(document: OpenApi): ErrorCode[] {
  const calls = callsOf(document).map(({ operation }) => operation);
  const described = document.components.schemas['Problem']?.properties?.['code']?.description ?? '';
  return [...described.matchAll(/^- `(\w+)` \((\d+)\): (.+)$/gm)]
    .map(([, name = '', status = '', when = '']) => {
      return { name, status, when, calls: calls.filter((call) => codesOf(call).includes(name)) };
    })
    .sort((a, b) => Number(a.status) - Number(b.status));
}

/** Whether the users of processors may make a call. */
function isForProcessors({ description = '' }: OperationObject): boolean {
  return description.includes('`Developer`');
}

function row({ status, name, when }: ErrorCode): string[] {
  return [status, code(name), when];
}

/** Without the codes that no call can end with. */
function tableWithCalls(codes: readonly ErrorCode[]): string {
  return table(
    ['Status', 'Code', 'When', 'Calls'],
    codes
      .filter(({ calls }) => calls.length > 0)
      .map((one) => [...row(one), one.calls.map(({ operationId }) => linkToCall(operationId)).join(', ')]),
  );
}

function linkToCall(operationId: string): string {
  return `[${operationId}](fields.md#${operationId.toLowerCase()})`;
}
