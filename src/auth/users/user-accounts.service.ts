import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { isEmail } from 'class-validator';
import { DataSource, EntityManager } from 'typeorm';
import { COMMAND_LINE, AuditTrail } from '../../audit/index.js';
import { sqlRows, Transactions, violatesUnique } from '../../database/index.js';
import { AppUser } from './app-user.entity.js';
import type { Caller } from '../caller.js';
import { UserCommandError } from '../errors.js';
import { lookAlike } from './look-alike-names.js';
import { hashPassword } from '../passwords/password.js';
import { isRoleName, ROLE_NAMES, type RoleName } from './role-name.js';

/** A user as `user list` shows it. */
export interface UserSummary {
  readonly username: string;
  readonly email: string | null;
  readonly active: boolean;
  readonly roles: readonly RoleName[];
  readonly createdAt: string;
}

/** A user to create. */
export interface CreateUserCommand {
  readonly username: string;
  readonly password: string;
  /** Where notices are sent, if the user has the role Finance. */
  readonly email?: string | undefined;
  /** Names of roles. */
  readonly roles?: readonly string[];
}

/** The new address of a user. */
export interface SetEmailCommand {
  readonly username: string;
  /** Undefined removes the address. */
  readonly email: string | undefined;
}

/** Roles to add to a user, or to remove. */
export interface ChangeRolesCommand {
  readonly username: string;
  /** Names of roles, at least one. */
  readonly roles: readonly string[];
}

/**
 * Creates and changes users. Every change takes effect on the next request, because users are not cached. Each change is
 * one call of a database function, which also records it in the audit trail: the service's role has no other right to
 * change users (ADR 42).
 */
@Injectable()
export class UserAccounts {
  constructor(
    private readonly transactions: Transactions,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * @throws UserCommandError for a name that exists, looks like an existing one or is invalid, an unknown role, an invalid
   * e-mail or password.
   */
  async create(command: CreateUserCommand): Promise<void> {
    const name = assertUsername(command.username);
    const roles = assertRoles(command.roles ?? []);
    const email = command.email === undefined ? null : assertEmail(command.email);
    const passwordHash = await hashPassword(command.password);
    try {
      await this.transactions.run(async (tx) => {
        await assertDistinct(tx, name);
        const values = [this.audit.actor, name, passwordHash, email, roles];
        await sqlRows(tx, 'SELECT create_user($1, $2, $3, $4, $5)', values);
      });
    } catch (error) {
      if (!violatesUnique(error, 'app_user_username_key')) throw error;
      throw new UserCommandError(`There is a user ${name} already. To change its password: user set-password ${name}`);
    }
  }

  /** Creates the first user. @returns false when there is a user already, maybe created by another process just now. */
  async createFirst(command: CreateUserCommand): Promise<boolean> {
    if (!(await this.isEmpty())) return false;
    try {
      await this.create(command);
      return true;
    } catch (error) {
      if (error instanceof UserCommandError && !(await this.isEmpty())) return false;
      throw error;
    }
  }

  /** All users, sorted by name. */
  async list(): Promise<UserSummary[]> {
    const users = await this.dataSource.manager.find(AppUser, {
      relations: { roles: true },
      order: { username: 'ASC' },
    });
    return users.map(summaryOf);
  }

  /** The names of all active users, sorted. */
  async activeNames(): Promise<string[]> {
    const users = await this.dataSource.manager.find(AppUser, {
      select: { username: true },
      where: { active: true },
      order: { username: 'ASC' },
    });
    return users.map(({ username }) => username);
  }

  /** The names of the active users whose gifts a file may have, sorted: all but those who only read the books. */
  async namesForGifts(): Promise<string[]> {
    const users = await this.list();
    const onlyReads = ({ roles }: UserSummary): boolean =>
      roles.includes('Auditor') && !roles.includes('APIWrite') && !roles.includes('Finance');
    return users.filter((user) => user.active && !onlyReads(user)).map(({ username }) => username);
  }

  /** An active user, whatever its roles; undefined for an unknown or disabled user. */
  async findActive(username: string): Promise<Caller | undefined> {
    try {
      return await this.activeUser(username);
    } catch (error) {
      if (error instanceof UserCommandError) return undefined;
      throw error;
    }
  }

  /** An active user, whatever its roles. @throws UserCommandError for an unknown or disabled user. */
  async activeUser(username: string): Promise<Caller> {
    const user = await this.dataSource.manager.findOne(AppUser, {
      where: { username: username.normalize('NFC') },
      relations: { roles: true },
    });
    if (user === null) throw unknownUser(username);
    if (!user.active)
      throw new UserCommandError(`The user ${username} is disabled. To enable it: user enable ${username}`);
    return { userId: user.id, username: user.username, roles: new Set(user.roles.map(({ name }) => name)) };
  }

  /** True while there is no user, as at the first start of a database. */
  async isEmpty(): Promise<boolean> {
    return !(await this.dataSource.manager.exists(AppUser));
  }

  /** @throws UserCommandError for an unknown user or a password that is refused. */
  async setPassword({ username, password }: Pick<CreateUserCommand, 'username' | 'password'>): Promise<void> {
    await this.change('set_user_password', username, await hashPassword(password));
  }

  /** @throws UserCommandError for an unknown user or an invalid address. */
  async setEmail({ username, email }: SetEmailCommand): Promise<UserSummary> {
    return this.change('set_user_email', username, email === undefined ? null : assertEmail(email));
  }

  /** @throws UserCommandError for an unknown user. */
  async setActive({ username, active }: Pick<UserSummary, 'username' | 'active'>): Promise<UserSummary> {
    return this.change('set_user_active', username, active);
  }

  /** Adds roles to those that the user has. @throws UserCommandError for an unknown user or role. */
  async grant({ username, roles }: ChangeRolesCommand): Promise<UserSummary> {
    return this.change('grant_user_roles', username, assertSomeRoles(roles));
  }

  /** Removes roles. Ignores roles that the user does not have. @throws UserCommandError for an unknown user or role. */
  async revoke({ username, roles }: ChangeRolesCommand): Promise<UserSummary> {
    return this.change('revoke_user_roles', username, assertSomeRoles(roles));
  }

  /** Calls a function that changes and records one property of a user. @returns the user after the change. */
  private async change(
    changing: `${string}_user_${string}`,
    username: string,
    value: string | boolean | null | readonly RoleName[],
  ): Promise<UserSummary> {
    const name = username.normalize('NFC');
    return this.transactions.run(async (tx) => {
      const sql = `SELECT ${changing}($1, $2, $3) AS found`;
      const [row] = await sqlRows<{ found: boolean }>(tx, sql, [this.audit.actor, name, value]);
      if (row?.found !== true) throw unknownUser(username);
      return summaryOf(await userNamed(tx, name));
    });
  }
}

async function userNamed(tx: EntityManager, username: string): Promise<AppUser> {
  return tx.findOneOrFail(AppUser, { where: { username }, relations: { roles: true } });
}

function summaryOf({ username, email, active, roles, createdAt }: AppUser): UserSummary {
  const names = ROLE_NAMES.filter((name) => roles.some((role) => role.name === name));
  return { username, email, active, roles: names, createdAt: createdAt.toISOString() };
}

/** The error for a user name that does not exist. */
export function unknownUser(username: string): UserCommandError {
  return new UserCommandError(`There is no user ${username}. To see all: user list`);
}

function assertUsername(username: string): string {
  const name = username.normalize('NFC');
  if (name.trim() !== name || name === '' || Array.from(name).length > 100 || /[:\p{Cc}]/u.test(name)) {
    throw new UserCommandError(
      'A user name has 1 to 100 characters, no colon (Basic authentication ends it there), and no space at its ends.',
    );
  }
  if (lookAlike(name, COMMAND_LINE))
    throw new UserCommandError('This name is reserved for actions at the command line.');
  return name;
}

/**
 * Refuses a name that looks like that of another user, enabled or not: Finance would take the entries of one for those of
 * the other. A name that exists is left to the unique constraint.
 */
async function assertDistinct(tx: EntityManager, name: string): Promise<void> {
  // Two commands at the same time could otherwise create two names that look alike.
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('names of users', 0))`);
  const users = await tx.find(AppUser, { select: { username: true } });
  const similar = users.find(({ username }) => username !== name && lookAlike(username, name));
  if (similar === undefined) return;
  throw new UserCommandError(
    `The name ${name} looks like that of the user ${similar.username}. Choose a name that nobody takes for it.`,
  );
}

function assertEmail(email: string): string {
  if (!isEmail(email) || /[\s,;]/.test(email)) throw new UserCommandError('The e-mail address is invalid.');
  return email;
}

function assertRoles(names: readonly string[]): RoleName[] {
  const unknown = names.filter((name) => !isRoleName(name));
  if (unknown.length > 0)
    throw new UserCommandError(`Unknown role ${unknown.join(', ')}. Roles are ${ROLE_NAMES.join(', ')}.`);
  return [...new Set(names.filter(isRoleName))];
}

function assertSomeRoles(names: readonly string[]): RoleName[] {
  if (names.length === 0) throw new UserCommandError(`Name at least one role: ${ROLE_NAMES.join(', ')}.`);
  return assertRoles(names);
}
