import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { DATABASE_TIME, DatabaseClock, prepared, Transactions, untranslatableCharacter } from '../database/index.js';
import { ServiceBusyError } from '../http/index.js';
import type { Credentials } from './basic-credentials.js';
import type { Caller } from './caller.js';
import { LoginFailures } from './passwords/login-failures.js';
import { NOBODYS_HASH } from './passwords/password.js';
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
 * For reading the user, the wait for one's turn included, in milliseconds. Together with the time of what is asked for
 * then (database-time.ts) it bounds a request.
 */
const LOOK_UP_LIMIT_MS = 2_000;

/**
 * One row for everybody: an unknown user costs the same look-ups, or the time taken would tell that it is one. With the
 * database's clock, by which the rest of the call then goes.
 */
const SELECT_USER = prepared(`
  SELECT u.id, u.password_hash, u.active,
    ARRAY(SELECT r.name FROM app_user_role ur JOIN role r ON r.id = ur.role_id WHERE ur.user_id = u.id) AS roles,
    ${verifiedByAny('$2::bytea', 'COALESCE(u.password_hash, $3)')} AS verified_by_any,
    ${DATABASE_TIME} AS database_time
  FROM (SELECT $1::text AS username) sent LEFT JOIN app_user u ON u.username = sent.username`);

/**
 * Of the connections to the database, those for callers whose password nobody here has verified lately: a flood of
 * guesses leaves the others to the rest.
 */
const UNFAMILIAR_AT_ONCE = 2;

/** Decides whether credentials are somebody's, and whose. */
@Injectable()
export class Authenticate {
  private readonly unfamiliar = pLimit(UNFAMILIAR_AT_ONCE);

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly verified: VerifiedCredentials,
    private readonly failures: LoginFailures,
    private readonly checks: PasswordChecks,
  ) {}

  /**
   * The active user with this name and password, or undefined. User, roles and hash are read on every call: a revoked
   * role, a changed password and a disabled user count at once.
   * @throws TooManyRequestsError for a name and address with too many failures, ServiceBusyError.
   */
  async byPassword(credentials: Credentials, address: string): Promise<Caller | undefined> {
    const proof = this.verified.proof(credentials);
    const user = await this.find(credentials.username, proof);
    const caller =
      user.id !== null && user.active === true
        ? { userId: user.id, username: credentials.username, roles: new Set(user.roles) }
        : undefined;
    const hash = user.password_hash ?? NOBODYS_HASH;
    const verified = await this.verified.has(proof, hash, user.verified_by_any);
    if (caller !== undefined && verified) return caller;

    const check = (): Promise<boolean> => this.check(credentials, hash, address, user);
    // Unknown and disabled users cost the same check, so that the time taken tells nothing.
    const right = await this.verified.verify(proof, hash, address, check);
    return right ? caller : undefined;
  }

  /** True when the password is right. For a user that was disabled it counts as a failure all the same. */
  private async check(
    { username, password }: Credentials,
    hash: string,
    address: string,
    user: UserRow,
  ): Promise<boolean> {
    // Refused before it costs anything: a flood is let in no further than can be worked off.
    this.checks.assertRoom(address);
    // Counted as a failure before it is known to be none: of guesses that come together, no more are checked than that.
    await this.failures.add(username, address, user.id !== null);
    const right = await this.checks.verify(hash, password, address).catch(async (error: unknown) => {
      // Not checked after all.
      await this.failures.takeBack(username, address);
      throw error;
    });
    if (right && user.active === true) await this.failures.takeBack(username, address);
    return right;
  }

  private async find(username: string, proof: Buffer): Promise<UserRow> {
    if (this.verified.isFamiliar(proof)) return this.select(username, null, LOOK_UP_LIMIT_MS);
    const latest = performance.now() + LOOK_UP_LIMIT_MS;
    return this.unfamiliar(() => {
      const left = latest - performance.now();
      if (left > 0) return this.select(username, proof, left);
      throw new ServiceBusyError('Too many callers log in at the same time. Please repeat the call.', 1);
    });
  }

  private async select(username: string, proof: Buffer | null, limit: number): Promise<UserRow> {
    const read = (name: string): Promise<UserRow[]> =>
      this.transactions.query<UserRow>(SELECT_USER, [name, proof, NOBODYS_HASH], limit);
    const askedAt = performance.now();
    const [user] = await read(username).catch((error: unknown) => {
      // A name that the encoding of the database cannot hold is nobody's, as the empty one.
      if (untranslatableCharacter(error) !== undefined) return read('');
      throw error;
    });
    if (user === undefined) throw new Error('A LEFT JOIN from one row gave none');
    this.clock.applyReading(user.database_time, askedAt);
    return user;
  }
}
