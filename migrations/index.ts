import { ReferenceData0001 } from './0001-reference-data.js';
import { Ledger0002 } from './0002-ledger.js';
import { Notices0003 } from './0003-notices.js';
import { LoginFailures0004 } from './0004-login-failures.js';
import { Contacts0005 } from './0005-contacts.js';
import { Reviews0006 } from './0006-reviews.js';
import { ExactlyOnce0007 } from './0007-exactly-once.js';
import { VerifiedLogins0008 } from './0008-verified-logins.js';
import { NoticesAgain0009 } from './0009-notices-again.js';
import { ClosedBundles0010 } from './0010-closed-bundles.js';
import { Audit0011 } from './0011-audit.js';
import { ContributionChanges0012 } from './0012-contribution-changes.js';
import { DerivedTransactionIds0013 } from './0013-derived-transaction-ids.js';
import { BundlePages0014 } from './0014-bundle-pages.js';
import { PossibleDuplicates0015 } from './0015-possible-duplicates.js';
import { OpenBundles0016 } from './0016-open-bundles.js';
import { BooksEpochs0017 } from './0017-books-epochs.js';
import { RequestVersions0018 } from './0018-request-versions.js';
import { FoldingMarks0019 } from './0019-folding-marks.js';
import { ReviewsNameOthers0020 } from './0020-reviews-name-others.js';
import { ImportComparesRows0021 } from './0021-import-compares-rows.js';
import { DryRunIds0022 } from './0022-dry-run-ids.js';
import { JobTable0023 } from './0023-job-table.js';
import { ApiTokens0024 } from './0024-api-tokens.js';
import { AuditSeals0025 } from './0025-audit-seals.js';
import { AuditOrigins0026 } from './0026-audit-origins.js';
import { KnownNetworks0027 } from './0027-known-networks.js';
import { UserFunctions0028 } from './0028-user-functions.js';
import { Payments0029 } from './0029-payments.js';
import { Search0030 } from './0030-search.js';
import { ConsoleAccess0031 } from './0031-console-access.js';
import { DeskOfFinance0032 } from './0032-desk-of-finance.js';
import { EqualGiftsByPerson0033 } from './0033-equal-gifts-by-person.js';
import { Deposits0034 } from './0034-deposits.js';
import { AuditChanges0035 } from './0035-audit-changes.js';
import { ReviewsWithoutContacts0036 } from './0036-reviews-without-contacts.js';
import { ImportFiles0037 } from './0037-import-files.js';
import { GapOfDepositIds0038 } from './0038-gap-of-deposit-ids.js';
import { UsersAndCurrenciesOfDeposits0040 } from './0040-users-and-currencies-of-deposits.js';
import { DepositChangesInSql0041 } from './0041-deposit-changes-in-sql.js';
import { UsersOfItemsNamedLater0042 } from './0042-users-of-items-named-later.js';
import { Webhooks0043 } from './0043-webhooks.js';
import { ReviewsClosedByMoves0045 } from './0045-reviews-closed-by-moves.js';
import { DatabaseMode0046 } from './0046-database-mode.js';
import { GiftsByDayAndId0047 } from './0047-gifts-by-day-and-id.js';

/** All migrations in their order. A landed one is never edited: a change is a new file at the end of this list. */
export const migrations = [
  ReferenceData0001,
  Ledger0002,
  Notices0003,
  LoginFailures0004,
  Contacts0005,
  Reviews0006,
  ExactlyOnce0007,
  VerifiedLogins0008,
  NoticesAgain0009,
  ClosedBundles0010,
  Audit0011,
  ContributionChanges0012,
  DerivedTransactionIds0013,
  BundlePages0014,
  PossibleDuplicates0015,
  OpenBundles0016,
  BooksEpochs0017,
  RequestVersions0018,
  FoldingMarks0019,
  ReviewsNameOthers0020,
  ImportComparesRows0021,
  DryRunIds0022,
  JobTable0023,
  ApiTokens0024,
  AuditSeals0025,
  AuditOrigins0026,
  KnownNetworks0027,
  UserFunctions0028,
  Payments0029,
  Search0030,
  ConsoleAccess0031,
  DeskOfFinance0032,
  EqualGiftsByPerson0033,
  Deposits0034,
  AuditChanges0035,
  ReviewsWithoutContacts0036,
  ImportFiles0037,
  GapOfDepositIds0038,
  UsersAndCurrenciesOfDeposits0040,
  DepositChangesInSql0041,
  UsersOfItemsNamedLater0042,
  Webhooks0043,
  ReviewsClosedByMoves0045,
  DatabaseMode0046,
  GiftsByDayAndId0047,
];
