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
  /** The entry that the operation created, as Finance reads it. */
  readonly entry: Readonly<Record<string, unknown>> | undefined;
  /** The operation ran between these two times, in milliseconds. */
  readonly began: number;
  readonly ended: number;
}

/** A success with exactly this body, including the order of its fields. */
interface Success {
  readonly body: unknown;
  readonly replayed: boolean;
}

/** A refusal for one of these reasons. The contract does not define which one is reported first. */
interface Refusal {
  readonly codes: readonly string[];
  /** The invalid fields. */
  readonly fields?: readonly string[];
  /** What the detail of `already_reversed` must name. */
  readonly mentions?: string;
}

/** The answer that the contract requires. */
export type Expected = Success | Refusal;

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
  bundle_not_found: 404,
  already_reversed: 409,
  not_reversible: 409,
  not_reassignable: 409,
  cannot_merge: 409,
  closed_fund: 409,
  no_contact: 409,
  unknown_person: 422,
  person_not_found: 422,
  fund_not_found: 422,
  bundle_type_not_found: 422,
  contribution_type_not_allowed: 422,
  idempotency_key_reused: 422,
  transaction_id_reused: 422,
  currency_mismatch: 422,
};

/** Whether the answer is the expected one. */
export function agrees(expected: Expected, { status, replayed, body }: Answer): boolean {
  if ('body' in expected) {
    return status === 200 && replayed === expected.replayed && sameText(body, expected.body);
  }
  const code = String(body['code']);
  return (
    expected.codes.includes(code) &&
    status === STATUS_OF[code] &&
    !replayed &&
    (expected.fields === undefined || sameText(fieldsOf(body), expected.fields)) &&
    (code !== 'already_reversed' || String(body['detail']).includes(expected.mentions ?? ''))
  );
}

/** Whether both are the same JSON text, including the order of fields. */
export function sameText(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function fieldsOf(body: Answer['body']): unknown[] {
  const faults = (body['errors'] ?? []) as readonly { field: string }[];
  return faults.map(({ field }) => field).sort();
}
