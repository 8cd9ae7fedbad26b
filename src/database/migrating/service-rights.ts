/** What the service does in a table besides reading it: columns where it is few of them, true where it is whole rows. */
export interface TableRights {
  readonly insert?: true | readonly string[];
  readonly update?: readonly string[];
  readonly delete?: true;
}

/**
 * The rights of the service's role in `public`: those of the statements in src/, and no others. A table that is not
 * named here cannot even be read; a test fails for it. Columns of UPDATE are those that are ever changed, which is what
 * FOR SHARE and FOR UPDATE ask for as well. Rights are taken away in a later release than the code that needs them, and
 * come with a migration, if only an empty one: by that a program of before knows that this list is no longer its own.
 */
export const SERVICE_RIGHTS: Readonly<Record<string, TableRights>> = {
  migrations: {},
  // Begun by ensure_books_epoch(), which runs as the owner.
  books_epoch: {},
  role: { insert: true },
  app_user: { insert: true, update: ['password_hash', 'email', 'active'] },
  app_user_role: { insert: true, delete: true },
  contribution_type: {},
  bundle_type: {},
  fund: { insert: ['name'], update: ['is_open', 'is_default'] },
  person: {
    insert: true,
    update: [
      ...['first_name', 'first_name_folded', 'last_name', 'last_name_folded', 'nickname', 'nickname_folded'],
      ...['former_last_name', 'former_last_name_folded', 'email_folded', 'phone_folded', 'deceased', 'merged_into'],
      ...['folded_by', 'first_names_before', 'last_names_before'],
    ],
  },
  contact: { insert: true, update: ['confirmed'], delete: true },
  // Kept by triggers, which run with the rights of whom they serve.
  match_key: { insert: true, delete: true },
  folding: { insert: true, update: ['version', 'country', 'folded_up_to'] },
  // Filled by triggers, for the service to work off.
  person_to_fold: { insert: true, delete: true },
  bundle: { insert: true, update: ['status', 'closed_at', 'closed_by'] },
  // Never an amount, a fund, a day, a bundle.
  contribution: { insert: true, update: ['status', 'person_id'] },
  job: { insert: true, update: ['due_at', 'attempts', 'leased_until', 'every_seconds'], delete: true },
  notice: { insert: true },
  delivery: {
    insert: true,
    update: ['status', 'attempts', 'last_error', 'next_try_at', 'sent_at', 'asked_again_at', 'attempts_before'],
  },
  review: {
    insert: true,
    update: ['reasons', 'other_persons', 'other_gifts', 'accepted_at', 'accepted_by', 'closed_through'],
  },
  reassignment: { insert: true },
  idempotency_key: {
    insert: true,
    update: ['request_digest', 'request_version', 'answer', 'created_at'],
    delete: true,
  },
  login_failure: { insert: true, update: ['points', 'expire'], delete: true },
  verified_login: { insert: true, update: ['expires_at'], delete: true },
  // Written by next_id(), with the owner's rights.
  dry_run: {},
  // When it was and under which id is for the database to say.
  audit_entry: { insert: ['actor', 'action', 'subject', 'details'] },
};

/** For replicas of the release before, whose jobs are in these tables, and to take such jobs over (ADR 36). */
const QUEUE_RIGHTS: readonly string[] = [
  'GRANT SELECT ON pgboss.version, pgboss.queue TO %s',
  'GRANT UPDATE (maintained_on) ON pgboss.version TO %s',
  'GRANT SELECT, INSERT, UPDATE, DELETE ON pgboss.job, pgboss.archive TO %s',
];

/**
 * The statements that give a role exactly these rights on the owner's tables, whatever it had before; to be run by the owner in
 * one transaction.
 * @param role quoted as an identifier
 * @param owned the owner's tables, quoted: of what somebody else keeps beside them, a report say, the owner may take
 * nothing away
 */
export function grantStatements(role: string, owned: readonly string[]): string[] {
  return [
    `REVOKE ALL ON ${owned.join(', ')} FROM ${role}`,
    `REVOKE ALL ON SCHEMA public, pgboss FROM ${role}`,
    `GRANT USAGE ON SCHEMA public, pgboss TO ${role}`,
    ...Object.entries(SERVICE_RIGHTS).map(([table, rights]) => `GRANT ${listed(rights)} ON public.${table} TO ${role}`),
    // The ids of a gift's rows; those of others come by their identity columns, which need no right.
    `GRANT EXECUTE ON FUNCTION public.next_id TO ${role}`,
    ...QUEUE_RIGHTS.map((statement) => statement.replace('%s', role)),
  ];
}

function listed({ insert, update, delete: remove }: TableRights): string {
  return [
    'SELECT',
    ...(insert === undefined ? [] : [insert === true ? 'INSERT' : `INSERT (${insert.join(', ')})`]),
    ...(update === undefined ? [] : [`UPDATE (${update.join(', ')})`]),
    ...(remove === undefined ? [] : ['DELETE']),
  ].join(', ');
}
