import type { NewEntries } from './new-entries.js';

/** The answer to a call. */
export interface Answer {
  readonly status: number;
  /** Whether the answer was marked as a replay. */
  readonly replayed: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The answer of an operation and what the model needs to follow it. */
export interface Seen {
  readonly answer: Answer;
  readonly created: NewEntries;
}

/** A success with exactly this body, including the order of its fields. */
interface Success {
  readonly body: unknown;
  readonly replayed: boolean;
}

/** A refusal for one of these reasons. The contract does not define which one is reported first. */
interface Refusal {
  readonly codes: readonly string[];
  /** The invalid fields, if the code is `invalid_request`. */
  readonly fields?: readonly string[];
  /** What the detail must say, if the code is `already_reversed` or `reversal_exceeds_gift`. */
  readonly mentions?: string;
}

/** The answer that the contract requires. */
export type Expected = Success | Refusal;

/** The answer to a batch: that to each of its gifts. Those of earlier calls are not marked. */
export interface Results {
  readonly results: readonly Expected[];
}

/** A success that is not a replay. */
export function done(body: unknown): Success {
  return { body, replayed: false };
}

/** A refusal for any of these reasons. */
export function refused(...codes: readonly string[]): Refusal {
  return { codes };
}

const STATUS_OF: Readonly<Record<string, number>> = {
  invalid_request: 400,
  contribution_not_found: 404,
  review_not_found: 404,
  giver_not_found: 404,
  bundle_not_found: 404,
  deposit_not_found: 404,
  already_reversed: 409,
  not_reversible: 409,
  not_reinstatable: 409,
  not_movable: 409,
  not_reassignable: 409,
  cannot_merge: 409,
  closed_fund: 409,
  no_contact: 409,
  in_other_deposit: 409,
  deposit_reconciled: 409,
  deposit_differs: 409,
  unknown_person: 422,
  person_not_found: 422,
  fund_not_found: 422,
  bundle_type_not_found: 422,
  contribution_type_not_allowed: 422,
  idempotency_key_reused: 422,
  transaction_id_reused: 422,
  deposit_id_reused: 422,
  deposit_item_not_found: 422,
  currency_mismatch: 422,
  reversal_exceeds_gift: 422,
};

const CODES_WITH_DETAIL = ['already_reversed', 'reversal_exceeds_gift'];

/** Whether the answer is the expected one. */
export function agrees(expected: Expected | Results, { status, replayed, body }: Answer): boolean {
  if ('results' in expected) return status === 200 && !replayed && agreesInEach(expected, body);
  if ('body' in expected) {
    return status === 200 && replayed === expected.replayed && sameText(body, expected.body);
  }
  const code = String(body['code']);
  return (
    expected.codes.includes(code) &&
    status === STATUS_OF[code] &&
    !replayed &&
    (code !== 'invalid_request' || sameText(fieldsOf(body), [...new Set(expected.fields)].sort())) &&
    (!CODES_WITH_DETAIL.includes(code) || String(body['detail']).includes(expected.mentions ?? ''))
  );
}

function agreesInEach({ results }: Results, body: Answer['body']): boolean {
  const found = resultsOf(body);
  return (
    found.length === results.length &&
    results.every((expected, index) => {
      const result = found[index];
      if (result === undefined) return false;
      const names = ['Index', 'Status', 'body' in expected ? 'Answer' : 'Problem'];
      if (!sameText(Object.keys(result), names) || result['Index'] !== index) return false;
      return agrees('body' in expected ? { ...expected, replayed: false } : expected, answerOf(result));
    })
  );
}

type Result = Readonly<Record<string, unknown>>;

/** The results of a batch; empty if the whole batch was refused. */
export function resultsOf(body: Answer['body']): readonly Result[] {
  return (body['Results'] ?? []) as readonly Result[];
}

/** The result of a gift of a batch, like the answer to that gift alone. */
export function answerOf(result: Result | undefined): Answer {
  const body = (result?.['Answer'] ?? result?.['Problem'] ?? {}) as Answer['body'];
  return { status: Number(result?.['Status']), replayed: false, body };
}

/** Whether both are the same JSON text, including the order of fields. */
export function sameText(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function fieldsOf(body: Answer['body']): unknown[] {
  const faults = (body['errors'] ?? []) as readonly { field: string }[];
  return [...new Set(faults.map(({ field }) => field))].sort();
}
