import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { isEmail } from 'class-validator';
import { DataSource, EntityManager, In } from 'typeorm';
import { COMMAND_LINE, type AuditAction, AuditTrail } from '../../audit/index.js';
import { Transactions, violatesUnique } from '../../database/index.js';
import { AppUser } from './app-user.entity.js';
import type { Caller } from '../caller.js';
import { UserCommandError } from '../errors.js';
import { lookAlike } from './look-alike-names.js';
import { hashPassword } from '../passwords/password.js';
import { isRoleName, ROLE_NAMES, type RoleName } from './role-name.js';
import { Role } from './role.entity.js';
import { USER_ACTIONS } from './audit-actions.js';

/** A user as `user list` shows it. */
export interface UserSummary {
  readonly username: string;
  readonly email: string | null;
  readonly active: boolean;
  readonly roles: readonly RoleName[];
  readonly createdAt: string;
}

/** Creates and changes users. Every change takes effect on the next request, because users are not cached. */
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
  async create(
    username: string,
    password: string,
    options: { email?: string; roles?: readonly string[] } = {},
  ): Promise<void> {
    const name = assertUsername(username);
    const roles = assertRoles(options.roles ?? []);
    const email = options.email === undefined ? null : assertEmail(options.email);
    const passwordHash = await hashPassword(password);
    try {
      await this.transactions.run(async (tx) => {
        await assertDistinct(tx, name);
        const user = { username: name, passwordHash, email, active: true, roles: await ensureRoles(tx, roles) };
        await tx.save(AppUser, user);
        await this.audit.record(tx, USER_ACTIONS.create, `user ${name}`, { roles });
      });
    } catch (error) {
      if (!violatesUnique(error, 'app_user_username_key')) throw error;
      throw new UserCommandError(`There is a user ${name} already. To change its password: user set-password ${name}`);
    }
  }

  /** Creates the first user. @returns false when there is a user already, maybe created by another process just now. */
  async createFirst(username: string, password: string, roles: readonly string[]): Promise<boolean> {
    if (!(await this.isEmpty())) return false;
    try {
      await this.create(username, password, { roles });
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

  /** @throws UserCommandError for an unknown user or a password that is too short. */
  async setPassword(username: string, password: string): Promise<void> {
    const passwordHash = await hashPassword(password);
    await this.change(username, USER_ACTIONS['set-password'], {}, (user) => void (user.passwordHash = passwordHash));
  }

  /** @param email undefined removes the address. @throws UserCommandError for an unknown user or an invalid address. */
  async setEmail(username: string, email: string | undefined): Promise<UserSummary> {
    const address = email === undefined ? null : assertEmail(email);
    return this.change(username, USER_ACTIONS['set-email'], {}, (user) => void (user.email = address));
  }

  /** @throws UserCommandError for an unknown user. */
  async setActive(username: string, active: boolean): Promise<UserSummary> {
    const action = active ? USER_ACTIONS.enable : USER_ACTIONS.disable;
    return this.change(username, action, {}, (user) => void (user.active = active));
  }

  /** Adds roles to those that the user has. @throws UserCommandError for an unknown user or role. */
  async grant(username: string, roleNames: readonly string[]): Promise<UserSummary> {
    const names = assertSomeRoles(roleNames);
    return this.change(username, USER_ACTIONS.grant, { roles: names }, async (user, tx) => {
      const added = await ensureRoles(tx, names);
      user.roles = [...user.roles.filter(({ id }) => !added.some((role) => role.id === id)), ...added];
    });
  }

  /** Removes roles. Ignores roles that the user does not have. @throws UserCommandError for an unknown user or role. */
  async revoke(username: string, roleNames: readonly string[]): Promise<UserSummary> {
    const names = assertSomeRoles(roleNames);
    const others = (user: AppUser): Role[] => user.roles.filter(({ name }) => !names.includes(name));
    return this.change(username, USER_ACTIONS.revoke, { roles: names }, (user) => void (user.roles = others(user)));
  }

  private async change(
    username: string,
    action: AuditAction,
    details: { roles?: readonly RoleName[] },
    apply: (user: AppUser, tx: EntityManager) => void | Promise<void>,
  ): Promise<UserSummary> {
    return this.transactions.run(async (tx) => {
      // Locked, so that concurrent commands do not undo each other.
      const found = await tx.findOne(AppUser, {
        where: { username: username.normalize('NFC') },
        lock: { mode: 'pessimistic_write' },
      });
      if (found === null) throw unknownUser(username);
      const user = await tx.findOneOrFail(AppUser, { where: { id: found.id }, relations: { roles: true } });
      await apply(user, tx);
      await tx.save(AppUser, user);
      await this.audit.record(tx, action, `user ${user.username}`, details);
      return summaryOf(user);
    });
  }
}

function summaryOf({ username, email, active, roles, createdAt }: AppUser): UserSummary {
  const names = ROLE_NAMES.filter((name) => roles.some((role) => role.name === name));
  return { username, email, active, roles: names, createdAt: createdAt.toISOString() };
}

/** The error for a user name that does not exist. */
export function unknownUser(username: string): UserCommandError {
  return new UserCommandError(`There is no user ${username}. To see all: user list`);
}

async function ensureRoles(tx: EntityManager, names: readonly RoleName[]): Promise<Role[]> {
  if (names.length === 0) return [];
  await tx
    .createQueryBuilder()
    .insert()
    .into(Role)
    .values(names.map((name) => ({ name })))
    .orIgnore()
    .execute();
  return tx.find(Role, { where: { name: In([...names]) } });
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
  if (!isEmail(email)) throw new UserCommandError('The e-mail address is invalid.');
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
