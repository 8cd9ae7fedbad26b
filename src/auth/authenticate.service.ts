import { Injectable } from '@nestjs/common';
import { prepared, Transactions } from '../database/index.js';
import type { Credentials } from './basic-credentials.js';
import type { Caller } from './caller.js';
import { LoginFailures } from './login-failures.js';
import { NOBODYS_HASH } from './password.js';
import { PasswordChecks } from './password-checks.js';
import type { RoleName } from './role-name.js';
import { VerifiedCredentials } from './verified-credentials.js';

interface UserRow {
  id: number;
  password_hash: string;
  active: boolean;
  roles: RoleName[];
}

const SELECT_USER = prepared(`
  SELECT u.id, u.password_hash, u.active,
    ARRAY(SELECT r.name FROM app_user_role ur JOIN role r ON r.id = ur.role_id WHERE ur.user_id = u.id) AS roles
  FROM app_user u WHERE u.username = $1`);

/** Decides whether credentials are somebody's, and whose. */
@Injectable()
export class Authenticate {
  constructor(
    private readonly transactions: Transactions,
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
    const user = await this.find(credentials.username);
    const caller = user?.active
      ? { userId: user.id, username: credentials.username, roles: new Set(user.roles) }
      : undefined;
    const hash = user?.password_hash ?? NOBODYS_HASH;
    // Looked up for everybody: a statement less for unknown users would tell that they are.
    const verified = await this.verified.has(credentials, hash);
    if (caller !== undefined && verified) return caller;

    const check = (): Promise<boolean> => this.check(credentials, hash, address, user);
    // Unknown and disabled users cost the same check, so that the time taken tells nothing.
    const right = await this.verified.verify(credentials, hash, address, check);
    return right ? caller : undefined;
  }

  /** True when the password is right. For a user that was disabled it counts as a failure all the same. */
  private async check(
    { username, password }: Credentials,
    hash: string,
    address: string,
    user: UserRow | undefined,
  ): Promise<boolean> {
    // Refused before it costs anything: a flood is let in no further than can be worked off.
    this.checks.assertRoom(address);
    // Counted as a failure before it is known to be none: of guesses that come together, no more are checked than that.
    await this.failures.add(username, address, user !== undefined);
    const right = await this.checks.verify(hash, password, address).catch(async (error: unknown) => {
      // Not checked after all.
      await this.failures.takeBack(username, address);
      throw error;
    });
    if (right && user?.active === true) await this.failures.takeBack(username, address);
    return right;
  }

  private async find(username: string): Promise<UserRow | undefined> {
    const users = await this.transactions.query<UserRow>(SELECT_USER, [username]);
    return users[0];
  }
}
