/** What a call came to. */
export interface Answer {
  readonly status: number;
  /** Whether it was marked as the answer to an earlier, equal call. */
  readonly replayed: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An operation's answer, and what is needed to follow it. */
export interface Seen {
  readonly answer: Answer;
  /** The entry that the operation made, as Finance reads it back. */
  readonly entry: Readonly<Record<string, unknown>> | undefined;
  /** Between these two instants the operation took place; milliseconds. */
  readonly began: number;
  readonly ended: number;
}

/** A success with exactly this body, the order of its fields included. */
interface Success {
  readonly body: unknown;
  readonly replayed: boolean;
}

/** A refusal for one of these reasons; which one is told first is nobody's promise. */
interface Refusal {
  readonly codes: readonly string[];
  /** The fields at fault. */
  readonly fields?: readonly string[];
  /** What the detail of `already_reversed` must name. */
  readonly mentions?: string;
}

/** What the contract wants the answer to be. */
export type Expected = Success | Refusal;

/** A success that was not there before. */
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

/** Whether the answer is what was expected. */
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

/** Whether both are the same JSON text: the order of fields counts. */
export function sameText(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function fieldsOf(body: Answer['body']): unknown[] {
  const faults = (body['errors'] ?? []) as readonly { field: string }[];
  return faults.map(({ field }) => field).sort();
}
