import { Injectable } from '@nestjs/common';
import { AuxiliaryQueries } from '../../../database/index.js';
import { clientAddress, clientNetwork } from '../../../values/index.js';
import { Authenticate } from '../../authenticate.service.js';
import { credentialsOf } from '../../schemes/basic-credentials.js';
import { isTokenText } from '../../tokens/index.js';
import { CONSOLE_ROLES } from '../../users/role-name.js';
import { describeBrowser } from './describe-browser.js';
import { RefusedLogins } from './refused-logins.service.js';
import { digestOfSessionToken, generateSessionToken } from '../reading/session-token.js';

/** What somebody typed into the login page. */
interface LogInCommand {
  readonly username: string;
  readonly password: string;
  readonly ipAddress: string;
  /** The header of this name. */
  readonly userAgent: string | undefined;
}

/** Records the session in the audit trail, too: the service's role cannot add sessions otherwise. */
const BEGIN = 'SELECT begin_session($1, $2, $3, $4, $5) AS id';

/** Begins sessions of people who may use the console. */
@Injectable()
export class LogIn {
  constructor(
    private readonly authenticate: Authenticate,
    private readonly auxiliary: AuxiliaryQueries,
    private readonly refused: RefusedLogins,
  ) {}

  /**
   * Begins a session. The check of the password, its budget and the limits of failures are those of HTTP Basic.
   * @returns the token of the session, or undefined for an unknown or disabled user, a wrong password, and a user without
   * a role of the console.
   * @throws TooManyRequestsError, ServiceBusyError as {@link Authenticate.byPassword}.
   */
  async run({ username, password, ipAddress, userAgent }: LogInCommand): Promise<string | undefined> {
    const credentials = credentialsOf(username, password);
    // A token is for programs. It never reaches the check of passwords.
    if (credentials === undefined || isTokenText(password)) return undefined;
    const verified = await this.authenticate.verify(credentials, ipAddress);
    if (verified === undefined || !CONSOLE_ROLES.some((role) => verified.caller.roles.has(role))) {
      this.refused.record(credentials.username, clientNetwork(ipAddress));
      return undefined;
    }
    const token = generateSessionToken();
    const [row] = await this.auxiliary.query<{ id: number | null }>(BEGIN, [
      verified.caller.userId,
      verified.passwordHash,
      digestOfSessionToken(token),
      clientAddress(ipAddress),
      describeBrowser(userAgent),
    ]);
    // Null if the user was disabled, or got another password, just now.
    return typeof row?.id === 'number' ? token : undefined;
  }
}
