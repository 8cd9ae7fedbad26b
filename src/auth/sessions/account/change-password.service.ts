import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../database/index.js';
import { Authenticate } from '../../authenticate.service.js';
import type { Caller } from '../../caller.js';
import { hashReplacement } from '../../passwords/password.js';
import { credentialsOf } from '../../schemes/basic-credentials.js';

interface ChangePasswordCommand {
  readonly caller: Caller;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly ipAddress: string;
}

/** Records the change in the audit trail, too. */
const CHANGE = 'SELECT change_own_password($1, $2, $3) AS changed';

/** Lets a person who has logged in choose another password. */
@Injectable()
export class ChangePassword {
  constructor(
    private readonly authenticate: Authenticate,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Changes the password of the caller, and ends the caller's other sessions.
   * @returns false if the current password is wrong; then nothing changes.
   * @throws PasswordRefusedError if the new password is refused.
   * @throws TooManyRequestsError, ServiceBusyError as {@link Authenticate.byPassword}.
   */
  async run({ caller, currentPassword, newPassword, ipAddress }: ChangePasswordCommand): Promise<boolean> {
    const credentials = credentialsOf(caller.username, currentPassword);
    if (credentials === undefined || caller.session === undefined) return false;
    const verified = await this.authenticate.verify(credentials, ipAddress);
    if (verified === undefined) return false;
    const hashed = await hashReplacement({ username: caller.username, password: newPassword, currentPassword });
    const values = [caller.session.id, verified.passwordHash, hashed];
    const [row] = await this.transactions.query<{ changed: boolean }>(CHANGE, values);
    return row?.changed === true;
  }
}
