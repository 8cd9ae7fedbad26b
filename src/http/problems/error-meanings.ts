import type { ErrorCode } from './expected-error.js';

/** What a code tells: when it occurs, and a `detail` such as a caller then reads. */
interface ErrorMeaning {
  readonly when: string;
  readonly detail: string;
}

/** For the API's document; a code of `STATUS_OF` that is not here does not compile. */
export const MEANING_OF: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  invalid_request: {
    when:
      'A field, a part of the address or the `Idempotency-Key` is missing or not acceptable, or a query parameter is unknown or ' +
      'sent twice; `errors` names each. Or a body came where none is taken.',
    detail: 'Email must be one e-mail address; Amount is required.',
  },
  malformed_json: {
    when: 'The body is empty, no JSON, or not in UTF-8.',
    detail: 'The body is not valid JSON.',
  },
  unauthenticated: {
    when: 'The credentials are missing, malformed or wrong, or their user is disabled.',
    detail: 'This needs the user name and password of an API user, by HTTP Basic authentication.',
  },
  forbidden: {
    when: 'The user lacks roles, which `detail` names. Or the header `Origin` or `Sec-Fetch-Site` says that a page of another site calls.',
    detail: 'Your user lacks the role APIWrite.',
  },
  not_found: {
    when: 'There is nothing at this path, whatever the method.',
    detail: 'There is nothing at this path.',
  },
  contribution_not_found: {
    when: 'No contribution has this id, or the user may not see it.',
    detail: 'There is no contribution 1.',
  },
  review_not_found: { when: 'No review has this id.', detail: 'There is no review 1.' },
  giver_not_found: { when: 'No person has this id.', detail: 'There is no person 152.' },
  bundle_not_found: { when: 'No bundle has this id.', detail: 'There is no bundle 7.' },
  method_not_allowed: {
    when: 'The path exists, but does not take this method; the header `Allow` lists those it takes.',
    detail: 'This path takes POST only.',
  },
  already_reversed: {
    when: 'The gift was taken back before; `detail` says when and by which source.',
    detail: 'Contribution 1 was already reversed at 2026-07-27T03:00:00.000-05:00 by source txt2give.',
  },
  not_reversible: {
    when: 'The contribution is itself a reversing entry.',
    detail: 'Contribution 2 is itself the reversal of contribution 1 and cannot be reversed.',
  },
  not_reassignable: {
    when: 'The contribution is a reversing entry, which follows its gift.',
    detail: 'Contribution 2 is the reversal of contribution 1 and follows it: reassign that one.',
  },
  bundle_changed: {
    when: 'The bundle does not hold what you say that you compared with the bank. It stays open.',
    detail: 'Bundle 7 holds something else than you expect: 13 of USD 490.50. Compare it again; it was not closed.',
  },
  request_in_progress: {
    when: 'The first call with this `Idempotency-Key` is still under way. Repeat a little later.',
    detail: 'A call with the same Idempotency-Key is still in progress. Please repeat this one later.',
  },
  payload_too_large: { when: 'The body is larger than 64 KB.', detail: 'The body must be at most 64 KB.' },
  unsupported_media_type: {
    when: 'The body is not sent as `application/json` in UTF-8, or is compressed.',
    detail: 'The body must be sent as Content-Type: application/json, in UTF-8.',
  },
  unknown_person: {
    when: 'Nobody matches the giver, and `IgnoreUnknownPerson` is true. Nothing was stored.',
    detail: 'Nobody matches this giver, and IgnoreUnknownPerson is true. Nothing was recorded.',
  },
  person_not_found: {
    when: '`PeopleId` is nobody’s. Nothing was stored.',
    detail: 'There is no person with PeopleId 152.',
  },
  fund_not_found: { when: '`FundId` is no fund’s. Nothing was stored.', detail: 'There is no fund with FundId 9.' },
  contribution_type_not_allowed: {
    when: '`ContributionTypeId` is unknown, or one that only the system may use. Nothing was stored.',
    detail: 'ContributionTypeId 7 is not a type that a caller may use.',
  },
  bundle_type_not_found: {
    when: '`BundleTypeId` is unknown. Nothing was stored.',
    detail: 'There is no bundle type with BundleTypeId 9.',
  },
  idempotency_key_reused: {
    when: 'The `Idempotency-Key` came before with other fields. Nothing was stored.',
    detail: 'This Idempotency-Key was used for another request. Use a new key for each gift or reversal.',
  },
  transaction_id_reused: {
    when: 'The pair of `Source` and `TransactionId` came before with other fields. Nothing was stored.',
    detail: 'TransactionId T-20260726-0042 of this Source was sent before, with other content.',
  },
  currency_mismatch: {
    when: '`Currency` is another one than the church’s. Nothing was stored.',
    detail: 'The gift is in EUR, and this church takes USD only. Nothing was recorded.',
  },
  too_many_requests: {
    when: 'Too many wrong passwords for this user name from this address. `Retry-After` says when to come again.',
    detail: 'Too many failed logins. Please try again later.',
  },
  internal_error: {
    when: 'A fault of the service. Whether anything was stored is unknown: repeat with the same key.',
    detail: 'Something went wrong here. Please report the request id.',
  },
  database_unavailable: {
    when: 'The database cannot be reached, or does not answer in time. Repeat after `Retry-After` seconds, with the same key.',
    detail: 'The database cannot be reached now. Please repeat the call.',
  },
  service_busy: {
    when: 'There is too much to do; nothing was begun. Repeat after `Retry-After` seconds.',
    detail: 'The service is busy. Please repeat the call.',
  },
};
