import type { Defence } from './defence.js';

/** What somebody cannot do who has the password of the service's role in the database. */
export const TAKEOVER: readonly Defence[] = [
  {
    name: 'A seal that leaves entries out is refused',
    file: 'migrations/0025-audit-seals.ts',
    from: "RAISE 'the seal does not continue the seal before it, or leaves entries out' USING ERRCODE = 'invalid_parameter_value';",
    to: 'NULL;',
    test: {
      file: 'test/e2e/audit-seals.spec.ts',
      title: 'the seals of the audit trail cannot be followed by one that',
    },
  },
  {
    name: 'A seal is added only by a function that checks it',
    file: 'src/audit/seals/audit-seal.entity.ts',
    from: '@ServiceRights({})',
    to: '@ServiceRights({ insert: true })',
    test: { file: 'test/e2e/service-role.spec.ts', title: 'the service role may not add a seal' },
  },
  {
    name: 'A setting of a session cannot let an entry appear behind a seal',
    file: 'migrations/0025-audit-seals.ts',
    from: 'THEN least(noted::bigint, last_id) ELSE',
    to: 'THEN noted::bigint ELSE',
    test: {
      file: 'test/e2e/audit-seals.spec.ts',
      title: 'the seals of the audit trail leave out entries that may still be committed, although a session sets',
    },
  },
  {
    name: 'A setting of a session cannot let a gift appear behind a page',
    file: 'migrations/0025-audit-seals.ts',
    from: 'last_id := least(last_id, noted[1]::bigint);',
    to: 'last_id := COALESCE(noted[1]::bigint, last_id);',
    test: {
      file: 'test/contract/list-contributions.spec.ts',
      title: 'while another call is running a page ends before uncommitted contributions of a session that sets',
    },
  },
  {
    name: 'A token that is changed in SQL leaves an entry',
    file: 'migrations/0026-audit-origins.ts',
    from: "public.record_outside_change('database.token-change', of_token,",
    to: 'jsonb_build_array(of_token,',
    test: { file: 'test/e2e/audit-bypass.spec.ts', title: 'SQL that bypasses the service leaves an entry a new token' },
  },
  {
    name: 'An audit entry has a `via` that fits its author',
    file: 'migrations/0028-user-functions.ts',
    from: "RAISE 'no action of % comes in by %', NEW.actor, NEW.via USING ERRCODE = 'insufficient_privilege';",
    to: 'NULL;',
    test: {
      file: 'test/e2e/service-role.spec.ts',
      title: 'the service role may not record an action as one beside the service',
    },
  },
  {
    name: 'The database refuses user names that pass for other actors',
    file: 'migrations/0028-user-functions.ts',
    from: 'PERFORM public.assert_username(of_username);',
    to: '',
    test: {
      file: 'test/e2e/service-role.spec.ts',
      title: 'a session with the password of the service role cannot change a user with the name',
    },
  },
  {
    name: 'The functions of triggers cannot be attached to tables of others',
    file: 'src/database/migrating/grant-rights.ts',
    from: "EXECUTE 'REVOKE EXECUTE ON FUNCTION ' || name || ' FROM PUBLIC';",
    to: 'NULL;',
    test: {
      file: 'migrations/service-rights.spec.ts',
      title: 'no role but the owner may attach a function that acts with the rights of the owner to a table of its own',
    },
  },
];
