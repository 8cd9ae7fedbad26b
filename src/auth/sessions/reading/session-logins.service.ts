import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { DATABASE_TIME, prepared } from '../../../database/index.js';
import { AccountLookups } from '../../account-lookups.js';
import type { Caller } from '../../caller.js';
import type { RoleName } from '../../users/role-name.js';
import { rolesOf } from '../../users/roles-sql.js';
import { SessionCookie } from './session-cookie.js';
import { digestOfSessionToken, formTokenOf } from './session-token.js';
import { SESSION_USE_IS_DUE, SessionUses } from './session-uses.service.js';
import { IS_OF_USER, IS_UNEXPIRED } from './session-validity.js';

interface SessionRow {
  /** Null for an unknown or ended session; then the other columns of session and user have no meaning. */
  readonly id: number | null;
  readonly user_id: number;
  readonly username: string;
  readonly roles: readonly RoleName[];
  readonly use_is_due: boolean;
  readonly database_time: number;
}

/**
 * Reads the session with this digest, its user and the user's roles: one look-up by an index, and the only statement of a
 * click before its page. It returns one row, also for an unknown session.
 */
const SELECT_SESSION = prepared(`
  SELECT CASE WHEN ${IS_UNEXPIRED} AND ${IS_OF_USER} THEN s.id END AS id, u.id AS user_id, u.username,
    ${rolesOf('u.id')} AS roles, ${SESSION_USE_IS_DUE} AS use_is_due, ${DATABASE_TIME} AS database_time
  FROM (SELECT $1::bytea AS digest) sent
    LEFT JOIN session s ON s.digest = sent.digest LEFT JOIN app_user u ON u.id = s.user_id`);

/** How many sessions this process remembers as valid. */
const MAX_ACCEPTED = 10_000;
const ACCEPTED_MS = 5 * 60_000;

/** Finds the user of a session by the cookie of a request. */
@Injectable()
export class SessionLogins {
  /**
   * The users of sessions that were valid lately, by the token's digest. Such a session only skips the lane of unknown
   * callers; the database decides on every click.
   */
  private readonly accepted = new LRUCache<string, string>({
    max: MAX_ACCEPTED,
    ttl: ACCEPTED_MS,
    updateAgeOnGet: true,
  });

  constructor(
    private readonly cookie: SessionCookie,
    private readonly lookups: AccountLookups,
    private readonly uses: SessionUses,
  ) {}

  /**
   * The active user of the session, or undefined. Session, user and roles are read on every click, so that an end of the
   * session, a changed password, a disabled user and a revoked role take effect on the next one.
   * @throws ServiceBusyError if too many callers log in with unknown sessions at the same time.
   * @throws TooManyRequestsError if too many calls of this user wait.
   */
  async callerOf(request: Request): Promise<Caller | undefined> {
    const token = this.cookie.read(request);
    if (token === undefined) return undefined;
    const digest = digestOfSessionToken(token);
    const key = digest.toString('base64');
    const row = await this.find(digest, this.accepted.get(key));
    if (row.id === null) {
      this.accepted.delete(key);
      return undefined;
    }
    this.accepted.set(key, row.username);
    if (row.use_is_due) this.uses.record(row.id);
    const session = { id: row.id, formToken: formTokenOf(token) };
    return { userId: row.user_id, username: row.username, roles: new Set(row.roles), session };
  }

  private find(digest: Buffer, knownUser: string | undefined): Promise<SessionRow> {
    const lookup = { statement: SELECT_SESSION, username: undefined, valuesOf: () => [digest] };
    return knownUser === undefined
      ? this.lookups.ofUnknown('secrets', lookup)
      : this.lookups.ofKnown(knownUser, lookup);
  }
}
