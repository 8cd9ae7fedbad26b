import { Injectable, OnModuleInit } from '@nestjs/common';
import { Configuration } from '../config/index.js';
import { Transactions } from '../database/index.js';
import { DoctorChecks, type Finding } from '../health/index.js';
import { countFailed, countWaiting } from './deliveries/deliveries.js';
import { FinanceRecipients } from './finance-recipients.js';
import { senderOf } from './transport/sender.js';
import { MailNotSentError, MailTransport } from './transport/mail-transport.js';

/** Doctor checks about the delivery of notices to Finance. */
@Injectable()
export class NoticeDoctorChecks implements OnModuleInit {
  constructor(
    private readonly checks: DoctorChecks,
    private readonly configuration: Configuration,
    private readonly transactions: Transactions,
    private readonly recipients: FinanceRecipients,
    private readonly transport: MailTransport,
  ) {}

  onModuleInit(): void {
    this.checks.add('mail server', () => this.mailServer());
    this.checks.add('mail sender', () => Promise.resolve(this.mailSender()));
    this.checks.add('Finance recipients', () => this.financeRecipients());
    this.checks.add('notices', () => this.notices());
  }

  private async mailServer(): Promise<Finding> {
    const check = 'mail server';
    const { smtpUrl } = this.configuration.mail;
    try {
      await this.transport.verify();
    } catch (error) {
      if (!(error instanceof MailNotSentError)) throw error;
      const advice =
        smtpUrl === undefined
          ? 'Make DATA_DIR writable, or set SMTP_URL.'
          : 'Check host, port, user and password in SMTP_URL, and that this machine can reach the server. Notices wait.';
      return { check, result: 'fault', found: error.message, advice };
    }
    if (smtpUrl !== undefined) return { check, result: 'ok', found: 'it answers, and accepts the login' };
    const found = 'none: every mail is written to a file under DATA_DIR';
    return { check, result: 'warning', found, advice: 'Set SMTP_URL, or no one is notified of a reversal by mail.' };
  }

  private mailSender(): Finding {
    const check = 'mail sender';
    const { from, smtpUrl } = this.configuration.mail;
    const { address } = senderOf(from, '');
    if (smtpUrl === undefined || !isLocal(address)) return { check, result: 'ok', found: address };
    const advice =
      'Set MAIL_FROM to an address of the church, at a domain that SMTP_URL may send for. Notices wait for three days.';
    return { check, result: 'fault', found: `${address}: mail servers refuse a sender at localhost`, advice };
  }

  private async financeRecipients(): Promise<Finding> {
    const check = 'Finance recipients';
    const { length } = await this.recipients.configured();
    if (length > 0) return { check, result: 'ok', found: `${length} ${length === 1 ? 'address' : 'addresses'}` };
    const advice =
      'offertory user create treasurer --roles Finance --email <address>, or set FINANCE_EMAILS. Notices wait for it.';
    return { check, result: 'fault', found: 'no one is notified of reversals', advice };
  }

  private async notices(): Promise<Finding> {
    const check = 'notices';
    const [waiting, failed] = await this.transactions.run(async (tx) => [
      await countWaiting(tx),
      await countFailed(tx),
    ]);
    if (failed > 0) {
      const advice = 'offertory notification list --status failed; correct the address, then notification retry <id>.';
      return { check, result: 'fault', found: `${failed} were given up in the last days`, advice };
    }
    if (waiting === 0) return { check, result: 'ok', found: 'no notice waits for another try' };
    const advice =
      'They are tried again for three days. When the mail server works again: offertory notification retry --all';
    return { check, result: 'warning', found: `${waiting} could not be sent yet`, advice };
  }
}

/** Whether the address belongs to this machine. Other servers cannot verify or answer such a sender. */
function isLocal(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return /^localhost(\.localdomain)?$|\.localhost$/.test(domain);
}
