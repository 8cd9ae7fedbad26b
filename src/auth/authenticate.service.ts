import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { DATABASE_TIME, DatabaseClock, prepared, Transactions, untranslatableCharacter } from '../database/index.js';
import { ServiceBusyError } from '../http/index.js';
import type { Credentials } from './basic-credentials.js';
import type { Caller } from './caller.js';
import { LoginFailures } from './passwords/login-failures.js';
import { DUMMY_HASH } from './passwords/password.js';
import { PasswordChecks } from './passwords/password-checks.js';
import type { RoleName } from './users/role-name.js';
import { verifiedByAny } from './passwords/shared-verifications.js';
import { VerifiedCredentials } from './passwords/verified-credentials.js';

interface UserRow {
  id: number | null;
  password_hash: string | null;
  active: boolean | null;
  roles: RoleName[];
  /** Whether any process on this database has verified the credentials in the last minutes. */
  verified_by_any: boolean;
  database_time: number;
}

/**
 * Time limit in milliseconds for reading the user, including the wait for one of {@link MAX_UNVERIFIED_LOOKUPS}.
 * Together with the time limit of transactions (database-time.ts) it limits the duration of a request.
 */
const LOOKUP_LIMIT_MS = 2_000;

/**
 * Reads the user with this name. It returns one row with the same look-ups for known and unknown users, so that the
 * time does not show which names exist. $2 is the proof of the credentials ({@link VerifiedCredentials.proof}), or null
 * if no other process needs to be asked: `verified_by_any` is then false. The row includes the database's time, for the
 * {@link DatabaseClock}.
 */
const SELECT_USER = prepared(`
  SELECT u.id, u.password_hash, u.active,
    ARRAY(SELECT r.name FROM app_user_role ur JOIN role r ON r.id = ur.role_id WHERE ur.user_id = u.id) AS roles,
    ${verifiedByAny('$2::bytea', 'COALESCE(u.password_hash, $3)')} AS verified_by_any,
    ${DATABASE_TIME} AS database_time
  FROM (SELECT $1::text AS username) sent LEFT JOIN app_user u ON u.username = sent.username`);

/**
 * How many users may be read at the same time for credentials that this process has not verified recently. Each read
 * uses a database connection. This limit keeps the other connections free for verified callers during a flood of
 * guesses.
 */
const MAX_UNVERIFIED_LOOKUPS = 2;

/** Checks a user name and password. */
@Injectable()
export class Authenticate {
  private readonly unverifiedLookups = pLimit(MAX_UNVERIFIED_LOOKUPS);

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly verified: VerifiedCredentials,
    private readonly failures: LoginFailures,
    private readonly checks: PasswordChecks,
  ) {}

  /**
   * The active user with this name and password, or undefined. User, roles and hash are read on every call, so that a
   * revoked role, a changed password and a disabled user take effect at once.
   * @param ipAddress of the caller
   * @throws TooManyRequestsError if this name has too many failures from this IP address.
   * @throws ServiceBusyError if too many callers log in at the same time.
   */
  async byPassword(credentials: Credentials, ipAddress: string): Promise<Caller | undefined> {
    // A keyed digest of name and password. It identifies the credentials without containing the password.
    const proof = this.verified.proof(credentials);
    const user = await this.find(credentials.username, proof);
    const caller =
      user.id !== null && user.active === true
        ? { userId: user.id, username: credentials.username, roles: new Set(user.roles) }
        : undefined;
    const hash = user.password_hash ?? DUMMY_HASH;
    const verified = await this.verified.has(proof, hash, user.verified_by_any);
    if (caller !== undefined && verified) return caller;

    const check = (): Promise<boolean> => this.check(credentials, hash, ipAddress, user);
    // Unknown and disabled users cost the same check, so that the time does not show which names exist.
    const right = await this.verified.verify({ proof, passwordHash: hash, address: ipAddress }, check);
    return right ? caller : undefined;
  }

  /** True when the password is right. The right password of a disabled user counts as a login failure, too. */
  private async check(
    { username, password }: Credentials,
    hash: string,
    ipAddress: string,
    user: UserRow,
  ): Promise<boolean> {
    // Checked first, because a refusal here needs neither a write to the database nor a hash.
    this.checks.assertCapacity(ipAddress);
    // Each attempt is counted as a failure before its check, and removed after a success. Otherwise more guesses could
    // be checked at the same time than failures are allowed.
    const attempt = { username, address: ipAddress };
    await this.failures.add(attempt, user.id !== null);
    const right = await this.checks
      .verify({ passwordHash: hash, password, address: ipAddress })
      .catch(async (error: unknown) => {
        await this.failures.remove(attempt);
        throw error;
      });
    if (right && user.active === true) await this.failures.remove(attempt);
    return right;
  }

  private async find(username: string, proof: Buffer): Promise<UserRow> {
    // This process has verified the credentials: they need not wait, and other processes' verifications do not matter.
    if (this.verified.isVerifiedHere(proof)) return this.select(username, null, LOOKUP_LIMIT_MS);
    const latest = performance.now() + LOOKUP_LIMIT_MS;
    return this.unverifiedLookups(() => {
      const left = latest - performance.now();
      if (left > 0) return this.select(username, proof, left);
      throw new ServiceBusyError('Too many callers log in at the same time. Please repeat the call.', 1);
    });
  }

  private async select(username: string, proof: Buffer | null, limit: number): Promise<UserRow> {
    const read = (name: string): Promise<UserRow[]> =>
      this.transactions.query<UserRow>(SELECT_USER, [name, proof, DUMMY_HASH], limit);
    const askedAt = performance.now();
    const [user] = await read(username).catch((error: unknown) => {
      // The database's encoding cannot represent this name, so there is no such user. The empty name is read instead,
      // which no user has either, so that the look-ups are the same.
      if (untranslatableCharacter(error) !== undefined) return read('');
      throw error;
    });
    if (user === undefined) throw new Error('A LEFT JOIN from one row gave none');
    this.clock.applyReading(user.database_time, askedAt);
    return user;
  }
}
