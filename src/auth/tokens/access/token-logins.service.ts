import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Configuration, type Mode } from '../../../config/index.js';
import { DATABASE_TIME, prepared } from '../../../database/index.js';
import { clientAddress, clientNetwork } from '../../../values/index.js';
import type { Caller } from '../../caller.js';
import { AccountLookups } from '../../account-lookups.js';
import { LoginFailures } from '../../passwords/login-failures.js';
import type { RoleName } from '../../users/role-name.js';
import { rolesOf } from '../../users/roles-sql.js';
import { digestOfToken, modeOfToken } from '../parsing/token-text.js';
import type { TokenScope } from '../parsing/token-scope.js';
import { TokenUses, USE_IS_DUE } from './token-uses.service.js';

interface TokenRow {
  /** Null for an unknown token; then the other columns of token and user are null, too. */
  readonly id: number | null;
  readonly scopes: readonly TokenScope[];
  readonly user_id: number;
  readonly username: string;
  readonly roles: readonly RoleName[];
  /** Why a known token is refused, for the log; null if it is accepted. */
  readonly refusal: string | null;
  readonly use_is_due: boolean;
  /** Whether there is a user with the name that was sent. */
  readonly name_exists: boolean;
  readonly database_time: number;
}

/** What a call sent: a token, the user name of HTTP Basic, and the address from which it came. */
interface SentToken {
  readonly token: string;
  readonly username: string | undefined;
  readonly ipAddress: string;
}

/**
 * Reads the token with this digest and its user: one look-up by an index, and the only statement of a login by token.
 * $2 is the user name that was sent with it, or null; $3 is the caller's address, or null if it is unknown. It returns
 * one row, also for an unknown token. The row includes the database's time, for the DatabaseClock.
 */
const SELECT_TOKEN = prepared(`
  SELECT t.id, t.scopes, u.id AS user_id, u.username, ${rolesOf('u.id')} AS roles,
    CASE
      WHEN u.username <> sent.username THEN 'it was sent with the name of another user'
      WHEN NOT u.active THEN 'its user is disabled'
      WHEN t.revoked_at IS NOT NULL THEN 'it is revoked'
      WHEN t.expires_at <= now() THEN 'it has expired'
      WHEN (sent.address <<= ANY (t.networks)) IS NOT TRUE AND t.networks IS NOT NULL
        THEN 'it is not accepted from this address'
    END AS refusal,
    ${USE_IS_DUE} AS use_is_due,
    CASE WHEN t.id IS NULL
      THEN EXISTS (SELECT FROM app_user WHERE username = sent.username) ELSE u.username = sent.username
    END AS name_exists,
    ${DATABASE_TIME} AS database_time
  FROM (SELECT $1::bytea AS digest, $2::text AS username, $3::inet AS address) sent
    LEFT JOIN api_token t ON t.digest = sent.digest LEFT JOIN app_user u ON u.id = t.user_id`);

/** How many tokens this process remembers as accepted, each until it has not been used for some minutes. */
const MAX_ACCEPTED = 10_000;
const ACCEPTED_MS = 5 * 60_000;

/**
 * How often a refusal of the same token for the same reason is logged for each network, so that a program that repeats
 * fills no log, and does not hide that somebody else has its token.
 */
const LOG_INTERVAL_MS = 60_000;
const MAX_LOGGED = 10_000;

/** Logs callers in by a token. It needs no password check, so a flood of passwords does not delay it. */
@Injectable()
export class TokenLogins {
  private readonly logger = new Logger('Login');
  /**
   * The users of tokens that were accepted lately, by the token's digest. Such a token only skips the lane; the database
   * decides on every call.
   */
  private readonly accepted = new LRUCache<string, string>({
    max: MAX_ACCEPTED,
    ttl: ACCEPTED_MS,
    updateAgeOnGet: true,
  });
  private readonly logged = new LRUCache<string, true>({ max: MAX_LOGGED, ttl: LOG_INTERVAL_MS });
  private readonly mode: Mode;

  constructor(
    private readonly lookups: AccountLookups,
    private readonly failures: LoginFailures,
    private readonly uses: TokenUses,
    { mode }: Configuration,
  ) {
    this.mode = mode;
  }

  /**
   * The active user of a valid token, or undefined. Token, user and roles are read on every call, so that a revocation
   * takes effect at once. A token of the other mode, live or test, is refused without a look-up, and is no failure: nobody
   * guesses tokens of another system.
   * @param username sent with the token; undefined if none was
   * @throws TooManyRequestsError if the token is invalid, and this name has too many failures from this IP address. A
   * valid token is never refused because of failures.
   * @throws ServiceBusyError if too many callers log in with unknown tokens at the same time.
   */
  async byToken(token: string, ipAddress: string, username?: string): Promise<Caller | undefined> {
    if (modeOfToken(token) !== this.mode) {
      this.logOtherMode(ipAddress);
      return undefined;
    }
    const sent: SentToken = { token, username, ipAddress };
    const digest = digestOfToken(token);
    const row = await this.find(digest, sent);
    if (row.id === null || row.refusal !== null) {
      this.accepted.delete(keyOf(digest));
      await this.refuse(row, sent);
      return undefined;
    }
    this.accepted.set(keyOf(digest), row.username);
    if (row.use_is_due) this.uses.record(row.id);
    const { user_id: userId, roles, scopes } = row;
    return { userId, username: row.username, roles: new Set(roles), token: { id: row.id, scopes: new Set(scopes) } };
  }

  private find(digest: Buffer, { username, ipAddress }: SentToken): Promise<TokenRow> {
    const address = clientAddress(ipAddress);
    const lookup = {
      statement: SELECT_TOKEN,
      username,
      valuesOf: (name: string | undefined) => [digest, name, address],
    };
    const user = this.accepted.get(keyOf(digest));
    return user === undefined ? this.lookups.ofUnknown('secrets', lookup) : this.lookups.ofKnown(user, lookup);
  }

  /** Counts a login failure, for the name that was sent or, without one, for the address alone. */
  private async refuse(row: TokenRow, { username = '', ipAddress }: SentToken): Promise<void> {
    const attempt = { username, network: clientNetwork(ipAddress) };
    if (row.id === null) {
      this.failures.addUnknownToken(attempt, row.name_exists);
      return;
    }
    this.logRefusal(row, ipAddress);
    await this.failures.add(attempt, { lane: 'new', known: row.name_exists });
  }

  /** The token itself is never logged, and neither is the name that was sent, which may be any text. */
  private logRefusal({ id, username, refusal }: TokenRow, ipAddress: string): void {
    if (this.isLogged(`${id} ${refusal} ${clientNetwork(ipAddress)}`)) return;
    this.logger.warn(`Token ${id} of user ${username} was refused from ${addressInWords(ipAddress)}: ${refusal}`);
  }

  private logOtherMode(ipAddress: string): void {
    if (this.isLogged(`other mode ${clientNetwork(ipAddress)}`)) return;
    const whose = this.mode === 'live' ? 'the test system' : 'the live service';
    this.logger.warn(`A token of ${whose} was refused from ${addressInWords(ipAddress)}`);
  }

  /** Whether a refusal was logged in the last minute; if not, it counts as logged from now on. */
  private isLogged(key: string): boolean {
    if (this.logged.has(key)) return true;
    this.logged.set(key, true);
    return false;
  }
}

function addressInWords(ipAddress: string): string {
  return clientAddress(ipAddress) ?? 'an invalid address';
}

function keyOf(digest: Buffer): string {
  return digest.toString('base64');
}
