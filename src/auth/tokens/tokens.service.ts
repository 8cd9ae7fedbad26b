import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../../audit/index.js';
import { Configuration } from '../../config/index.js';
import { sqlRows, Transactions } from '../../database/index.js';
import type { Caller } from '../caller.js';
import { AppUser } from '../users/app-user.entity.js';
import { unknownUser, UserAccounts } from '../users/user-accounts.service.js';
import { ApiToken } from './api-token.entity.js';
import { TokenCommandError } from './errors.js';
import type { TokenScope } from './parsing/token-scope.js';
import { digestOfToken, generateToken } from './parsing/token-text.js';
import { RouteScopes } from './route-scopes.js';

/** A token as `token list` shows it. Times are ISO 8601 in UTC. */
export interface TokenSummary {
  readonly id: number;
  readonly name: string | null;
  readonly username: string;
  readonly scopes: readonly TokenScope[];
  /** The networks from which it is accepted, in CIDR notation; null for any. */
  readonly from: readonly string[] | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** At most a minute earlier than the last call. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** The settings of a new token. */
export interface NewToken {
  readonly name?: string;
  /** Default: all that the user's roles allow now. */
  readonly scopes?: readonly TokenScope[];
  /** Default: it does not expire. */
  readonly lifetimeHours?: number;
  /** In CIDR notation. Default: any. */
  readonly networks?: readonly string[];
}

/** A token that was just created. Only this contains the token itself. */
export type CreatedToken = Omit<TokenSummary, 'createdAt' | 'lastUsedAt' | 'revokedAt'> & { readonly token: string };

/** A token that is in use and expires soon. */
export interface ExpiringToken {
  readonly id: number;
  readonly username: string;
  readonly expiresAt: Date;
}

const MAX_NAME = 100;

/** They record the change in the audit trail, too: the service's role has no other right to change tokens (ADR 42). */
const CREATE = 'SELECT token_id, expiry FROM create_api_token($1, $2, $3, $4, $5, $6, $7)';
const REVOKE = 'SELECT revoke_api_token($1, $2)';

const SELECT_EXPIRING = `
  SELECT t.id, u.username, t.expires_at AS "expiresAt" FROM api_token t JOIN app_user u ON u.id = t.user_id
  WHERE t.revoked_at IS NULL AND u.active AND t.expires_at BETWEEN now() AND now() + interval '14 days'
    AND t.last_used_at > now() - interval '7 days'
  ORDER BY t.expires_at, t.id`;

/** Creates, lists and revokes tokens. Every change takes effect on the next call, because tokens are not cached. */
@Injectable()
export class Tokens {
  constructor(
    private readonly transactions: Transactions,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly users: UserAccounts,
    private readonly routes: RouteScopes,
    private readonly audit: AuditTrail,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Creates a token of an active user. Earlier tokens of the user stay valid.
   * @throws UserCommandError for an unknown or disabled user.
   * @throws TokenCommandError for scopes that the user's roles do not allow, and for an invalid name.
   */
  async create(username: string, settings: NewToken = {}): Promise<CreatedToken> {
    const user = await this.users.activeUser(username);
    const scopes = this.scopesFor(user, settings.scopes);
    const name = settings.name === undefined ? null : assertName(settings.name);
    const from = settings.networks ?? null;
    const token = generateToken(this.configuration.mode);
    const values = [
      this.audit.actor,
      user.username,
      name,
      digestOfToken(token),
      scopes,
      from,
      settings.lifetimeHours ?? null,
    ];
    const [row] = await this.transactions.query<{ token_id: number; expiry: Date | null }>(CREATE, values);
    // It was disabled in the meantime.
    if (row === undefined) throw unknownUser(username);
    const expiresAt = row.expiry?.toISOString() ?? null;
    return { id: row.token_id, name, username: user.username, scopes, from, expiresAt, token };
  }

  /** All tokens, or those of one user, the oldest first. @throws UserCommandError for an unknown user. */
  async list(username?: string): Promise<TokenSummary[]> {
    const { manager } = this.dataSource;
    const user = username === undefined ? {} : { username: username.normalize('NFC') };
    if (username !== undefined && !(await manager.existsBy(AppUser, user))) throw unknownUser(username);
    const tokens = await manager.find(ApiToken, { where: { user }, relations: { user: true }, order: { id: 'ASC' } });
    return tokens.map(summaryOf);
  }

  /** Makes a token invalid for ever. Has no effect on a revoked one. @throws TokenCommandError for an unknown id. */
  async revoke(id: number): Promise<TokenSummary> {
    return this.transactions.run(async (tx) => {
      await sqlRows(tx, REVOKE, [this.audit.actor, id]);
      return this.find(tx, id);
    });
  }

  /** The tokens that were used in the last 7 days and expire in the next 14, the next to expire first. */
  async expiring(): Promise<ExpiringToken[]> {
    return this.transactions.query<ExpiringToken>(SELECT_EXPIRING);
  }

  private async find(tx: EntityManager, id: number): Promise<TokenSummary> {
    const token = await tx.findOne(ApiToken, { where: { id }, relations: { user: true } });
    if (token === null) throw new TokenCommandError(`There is no token ${id}. To see all: token list`);
    return summaryOf(token);
  }

  private scopesFor({ username, roles }: Caller, wanted: readonly TokenScope[] | undefined): readonly TokenScope[] {
    const allowed = this.routes.allowedBy(roles);
    if (allowed.length === 0) {
      throw new TokenCommandError(
        `The roles of ${username} allow no call. To add roles: user grant ${username} <role>`,
      );
    }
    const refused = (wanted ?? []).filter((scope) => !allowed.includes(scope));
    if (refused.length > 0) {
      throw new TokenCommandError(
        `The roles of ${username} do not allow ${refused.join(', ')}, but only ${allowed.join(', ')}.`,
      );
    }
    return wanted ?? allowed;
  }
}

function summaryOf(token: ApiToken): TokenSummary {
  return {
    id: token.id,
    name: token.name,
    username: token.user.username,
    scopes: token.scopes,
    from: token.networks,
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt?.toISOString() ?? null,
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    revokedAt: token.revokedAt?.toISOString() ?? null,
  };
}

function assertName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name === '' || Array.from(name).length > MAX_NAME || /\p{Cc}/u.test(name)) {
    throw new TokenCommandError(
      `The name of a token has 1 to ${MAX_NAME} characters, none of them a control character.`,
    );
  }
  return name;
}
