import { Injectable } from '@nestjs/common';
import { DATABASE_TIME, prepared } from '../database/index.js';
import { clientNetwork } from '../values/index.js';
import { AccountLookups } from './account-lookups.js';
import type { Credentials } from './schemes/basic-credentials.js';
import type { Caller } from './caller.js';
import { isKnownNetwork, KnownNetworks } from './networks/known-networks.service.js';
import { LoginFailures } from './passwords/login-failures.js';
import { DUMMY_HASH } from './passwords/password.js';
import { PasswordChecks } from './passwords/password-checks.js';
import type { RoleName } from './users/role-name.js';
import { rolesOf } from './users/roles-sql.js';
import { verifiedByAny } from './passwords/shared-verifications.js';
import { VerifiedCredentials } from './passwords/verified-credentials.js';

interface UserRow {
  id: number | null;
  password_hash: string | null;
  active: boolean | null;
  roles: RoleName[];
  /** Whether any process on this database has verified the credentials in the last minutes. Only if this one has not. */
  verified_by_any?: boolean;
  /** Whether the user has logged in from the caller's network in the last months. Only as above. */
  from_known_network?: boolean;
  database_time: number;
}

const FROM_USER = `FROM (SELECT $1::text AS username) sent LEFT JOIN app_user u ON u.username = sent.username`;

const USER = `u.id, u.password_hash, u.active, ${rolesOf('u.id')} AS roles, ${DATABASE_TIME} AS database_time`;

/**
 * Reads the user with this name, in one row also for an unknown name. The row includes the database's time, for the
 * DatabaseClock. Every call with a verified password runs this statement.
 */
const SELECT_VERIFIED_USER = prepared(`SELECT ${USER} ${FROM_USER}`);

/**
 * The same for credentials that this process has not verified lately. The look-ups are the same for known and unknown
 * users, so that the time does not show which names exist. $2 is the proof of the credentials
 * ({@link VerifiedCredentials.proof}), $3 {@link DUMMY_HASH}, and $4 the caller's network, or null if it is unknown.
 */
const SELECT_USER = prepared(`
  SELECT ${USER},
    ${verifiedByAny('$2::bytea', 'COALESCE(u.password_hash, $3)')} AS verified_by_any,
    ${isKnownNetwork('u.id', '$4::cidr')} AS from_known_network
  ${FROM_USER}`);

/** A user whose password is right. */
export interface VerifiedUser {
  readonly caller: Caller;
  /** The stored hash that the password matches. */
  readonly passwordHash: string;
}

/** Checks a user name and password. */
@Injectable()
export class Authenticate {
  constructor(
    private readonly lookups: AccountLookups,
    private readonly verified: VerifiedCredentials,
    private readonly failures: LoginFailures,
    private readonly checks: PasswordChecks,
    private readonly networks: KnownNetworks,
  ) {}

  /**
   * The active user with this name and password, or undefined. User, roles and hash are read on every call, so that a
   * revoked role, a changed password and a disabled user take effect at once.
   * @param ipAddress of the caller
   * @throws TooManyRequestsError if this name has too many failures from this network, or too many calls of this user
   * wait.
   * @throws ServiceBusyError if too many callers log in at the same time.
   */
  async byPassword(credentials: Credentials, ipAddress: string): Promise<Caller | undefined> {
    return (await this.verify(credentials, ipAddress))?.caller;
  }

  /** {@link byPassword}, with the hash that the password matches. */
  async verify(credentials: Credentials, ipAddress: string): Promise<VerifiedUser | undefined> {
    // A keyed digest of name and password. It identifies the credentials without containing the password.
    const proof = this.verified.proof(credentials);
    const isVerifiedHere = this.verified.isVerifiedHere(proof);
    const network = isVerifiedHere ? undefined : clientNetwork(ipAddress);
    const user = isVerifiedHere
      ? await this.readVerified(credentials.username)
      : await this.readUnverified(credentials.username, proof, network);
    const caller =
      user.id !== null && user.active === true
        ? { userId: user.id, username: credentials.username, roles: new Set(user.roles) }
        : undefined;
    const hash = user.password_hash ?? DUMMY_HASH;
    if (caller === undefined) this.verified.forget(proof);
    else if (await this.verified.has(proof, hash, user.verified_by_any === true)) {
      this.networks.remember(caller.userId, ipAddress);
      return { caller, passwordHash: hash };
    }

    const from = network ?? clientNetwork(ipAddress);
    const check = (): Promise<boolean> => this.check(credentials, hash, from, user);
    // Unknown and disabled users cost the same check, so that the time does not show which names exist.
    const right = await this.verified.verify({ proof, passwordHash: hash, network: from }, check);
    if (!right || caller === undefined) return undefined;
    this.networks.remember(caller.userId, ipAddress);
    return { caller, passwordHash: hash };
  }

  /** True when the password is right and the user active. The right password of a disabled user counts as a login failure, too. */
  private async check(
    { username, password }: Credentials,
    hash: string,
    network: string | undefined,
    user: UserRow,
  ): Promise<boolean> {
    const lane = user.from_known_network === true ? 'known' : 'new';
    // Checked first, because a refusal here needs neither a write to the database nor a hash.
    const attempt = { username, network };
    this.checks.assertCapacity(attempt, lane);
    // Each attempt is counted as a failure before its check, and removed after a success. Otherwise more guesses could
    // be checked at the same time than failures are allowed.
    await this.failures.add(attempt, { lane, known: user.id !== null });
    const right = await this.checks
      .verify({ passwordHash: hash, password, ...attempt, lane })
      .catch(async (error: unknown) => {
        await this.failures.remove(attempt, lane);
        throw error;
      });
    if (!right || user.active !== true) return false;
    await this.failures.remove(attempt, lane);
    return true;
  }

  /** The user of credentials that this process has verified lately. Other processes' verifications do not matter. */
  private readVerified(username: string): Promise<UserRow> {
    return this.lookups.ofKnown(username, { statement: SELECT_VERIFIED_USER, username, valuesOf: (name) => [name] });
  }

  private readUnverified(username: string, proof: Buffer, network: string | undefined): Promise<UserRow> {
    return this.lookups.ofUnknown('passwords', {
      statement: SELECT_USER,
      username,
      valuesOf: (name) => [name, proof, DUMMY_HASH, network],
    });
  }
}
