import { randomUUID } from 'node:crypto';
import { access, chmod, constants, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger, OnModuleInit } from '@nestjs/common';
import type { Configuration } from '../../config/index.js';
import { renameDurably, syncDirectory } from '../../durable-files/index.js';
import { type Mail, MailNotSentError, MailTransport } from './mail-transport.js';

/** Composes the text of a mail and sends nothing. */
const COMPOSER = {
  streamTransport: true,
  buffer: true,
  newline: 'windows',
  disableFileAccess: true,
  disableUrlAccess: true,
} as const;

/**
 * Writes each mail to a file when no SMTP server is configured, so that no mail is lost. The file's name is made from the
 * Message-ID, so a mail sent twice is one file.
 */
export class MailFileTransport extends MailTransport implements OnModuleInit {
  private readonly logger = new Logger(MailFileTransport.name);
  private readonly directory: string;

  constructor(private readonly dataDir: string) {
    super();
    this.directory = mailDirectoryIn(dataDir);
  }

  onModuleInit(): void {
    this.logger.log(`SMTP_URL is not set: mails are not sent, each becomes an .eml file in ${this.directory}`);
  }

  async send(mail: Mail, signal: AbortSignal): Promise<void> {
    try {
      // Loaded with the first mail, as in smtp-transport.ts.
      const { createTransport } = await import('nodemailer');
      const composer = createTransport(COMPOSER);
      const { message } = await composer.sendMail({ ...mail, to: { name: '', address: mail.to }, signal });
      await this.write(`${nameOf(mail)}.eml`, message as Buffer);
    } catch (error) {
      throw this.notSentError(error);
    }
  }

  async verify(): Promise<void> {
    try {
      await this.createDirectory();
      await access(this.directory, constants.W_OK);
    } catch (error) {
      throw this.notSentError(error);
    }
  }

  private notSentError(error: unknown): MailNotSentError {
    const { code = 'unknown fault' } = error as NodeJS.ErrnoException;
    const message = `The mail could not be written to ${this.directory}: ${code}`;
    return new MailNotSentError(message, { reason: code, isFinal: false });
  }

  /** Only the directory of mails, which contain givers' names, is private: others may use the data directory. */
  private async createDirectory(): Promise<void> {
    await mkdir(this.dataDir, { recursive: true });
    const made = await mkdir(this.directory, { recursive: true, mode: 0o700 });
    if (made !== undefined) await syncDirectory(this.dataDir);
    await chmod(this.directory, 0o700);
  }

  /** Writes the whole file or nothing: it is written and synced under a temporary name, and then renamed. */
  private async write(name: string, content: Buffer): Promise<void> {
    await this.createDirectory();
    const unfinished = join(this.directory, `.${name}.${randomUUID()}`);
    try {
      const file = await open(unfinished, 'wx', 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await renameDurably(unfinished, join(this.directory, name));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }
}

/** The directory that mails are written to; undefined if they are sent by SMTP. */
export function mailDirectoryOf({ mail, database }: Configuration): string | undefined {
  return mail.smtpUrl === undefined ? mailDirectoryIn(database.dataDir) : undefined;
}

function mailDirectoryIn(dataDir: string): string {
  return join(dataDir, 'mail');
}

/** "reversal.<event>.<digest>" for "<reversal.<event>.<digest>@notices.offertory>". It cannot contain a path. */
function nameOf({ messageId }: Mail): string {
  return messageId.replace(/^<|@.*$/g, '').replace(/[^A-Za-z0-9.-]/g, '_');
}
