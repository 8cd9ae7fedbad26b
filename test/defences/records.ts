import type { Defence } from './defence.js';

/** What the database and its records hold. */
export const RECORDS: readonly Defence[] = [
  {
    name: 'Closing a bundle is recorded in the audit trail',
    file: 'src/contributions/bundles/bundles.service.ts',
    from: 'if (closed !== undefined) {\n        const details',
    to: 'if (closed === null) {\n        const details',
    test: {
      file: 'test/finance/bundles-of-finance.spec.ts',
      title: 'closing a bundle stores count and totals in the audit trail once',
    },
    short: true,
  },
  {
    name: 'A reversal is recorded in the audit trail',
    file: 'src/contributions/reversals/reverse-contribution.service.ts',
    from: 'await this.audit.record(tx, {\n      action: REVERSAL_ACTIONS.reverse,',
    to: 'if (entry.id < 0) await this.audit.record(tx, {\n      action: REVERSAL_ACTIONS.reverse,',
    test: { file: 'test/e2e/audit.spec.ts', title: 'the audit trail records once which user reversed a gift' },
  },
  {
    name: 'The audit trail can only be added to',
    file: 'migrations/0011-audit.ts',
    from: 'CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry',
    to: 'CREATE TRIGGER audit_entry_append_only BEFORE UPDATE ON audit_entry',
    test: {
      file: 'test/e2e/audit.spec.ts',
      title: 'the audit trail refuses DELETE, even by the owner and in the replica role',
    },
  },
  {
    name: 'What a closed bundle holds cannot change',
    file: 'migrations/0010-closed-bundles.ts',
    from: "IF is_closed THEN PERFORM refuse_closed_bundle(OLD.bundle_id, 'what it holds cannot change'); END IF;",
    to: '',
    test: {
      file: 'test/finance/closed-bundles.spec.ts',
      title: 'the database, for a closed bundle, refuses deleting a gift',
    },
  },
  {
    name: 'The service’s database role cannot change an amount',
    file: 'src/contributions/ledger/contribution.entity.ts',
    from: "update: ['status', 'person_id'],",
    to: "update: ['status', 'person_id', 'amount'],",
    test: { file: 'test/e2e/service-role.spec.ts', title: 'the service role may not change an amount' },
  },
  {
    name: 'Only the system makes reversing entries',
    file: 'src/contributions/gifts/recording/gift-part.ts',
    from: 'contributionTypeId === REVERSED_TYPE)',
    to: 'contributionTypeId === -1)',
    test: {
      file: 'test/contract/dry-run.spec.ts',
      title: 'a dry run is refused like the real call: the type of a reversal',
    },
  },
];
