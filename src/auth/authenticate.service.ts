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
  verified_by_any: boolean;
  database_time: number;
}

/**
 * For reading the user, including the wait for a free slot, in milliseconds. Together with the limit of the request's
 * own work (database-time.ts) it limits the duration of a request.
 */
const LOOKUP_LIMIT_MS = 2_000;

/**
 * Returns one row for known and unknown users with the same look-ups, so that the time does not show which names exist.
 * It includes the database's time, for the {@link DatabaseClock}.
 */
const SELECT_USER = prepared(`
  SELECT u.id, u.password_hash, u.active,
    ARRAY(SELECT r.name FROM app_user_role ur JOIN role r ON r.id = ur.role_id WHERE ur.user_id = u.id) AS roles,
    ${verifiedByAny('$2::bytea', 'COALESCE(u.password_hash, $3)')} AS verified_by_any,
    ${DATABASE_TIME} AS database_time
  FROM (SELECT $1::text AS username) sent LEFT JOIN app_user u ON u.username = sent.username`);

/**
 * How many database connections callers without a recently verified password may use at a time. So a flood of guesses
 * leaves the other connections to the other callers.
 */
const MAX_UNVERIFIED_LOOKUPS = 2;

/** Finds the user of credentials. */
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
   * @throws TooManyRequestsError for a name and address with too many failures, ServiceBusyError.
   */
  async byPassword(credentials: Credentials, address: string): Promise<Caller | undefined> {
    const proof = this.verified.proof(credentials);
    const user = await this.find(credentials.username, proof);
    const caller =
      user.id !== null && user.active === true
        ? { userId: user.id, username: credentials.username, roles: new Set(user.roles) }
        : undefined;
    const hash = user.password_hash ?? DUMMY_HASH;
    const verified = await this.verified.has(proof, hash, user.verified_by_any);
    if (caller !== undefined && verified) return caller;

    const check = (): Promise<boolean> => this.check(credentials, hash, address, user);
    // Unknown and disabled users cost the same check, so that the time does not show which names exist.
    const right = await this.verified.verify(proof, hash, address, check);
    return right ? caller : undefined;
  }

  /** True when the password is right. For a disabled user a right password counts as a failure, too. */
  private async check(
    { username, password }: Credentials,
    hash: string,
    address: string,
    user: UserRow,
  ): Promise<boolean> {
    // Refuses a flood before it costs anything.
    this.checks.assertCapacity(address);
    // Counted as a failure before the check, so that no more concurrent guesses are checked than failures are allowed.
    await this.failures.add(username, address, user.id !== null);
    const right = await this.checks.verify(hash, password, address).catch(async (error: unknown) => {
      await this.failures.remove(username, address);
      throw error;
    });
    if (right && user.active === true) await this.failures.remove(username, address);
    return right;
  }

  private async find(username: string, proof: Buffer): Promise<UserRow> {
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
      // No user has a name that the encoding of the database cannot store, or the empty name.
      if (untranslatableCharacter(error) !== undefined) return read('');
      throw error;
    });
    if (user === undefined) throw new Error('A LEFT JOIN from one row gave none');
    this.clock.applyReading(user.database_time, askedAt);
    return user;
  }
}
