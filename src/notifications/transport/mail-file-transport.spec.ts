import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { MailFileTransport } from './mail-file-transport.js';
import { type Mail, MailNotSentError } from './mail-transport.js';

const mail: Mail = {
  from: { name: 'Grace Church', address: 'gifts@example.org' },
  to: 'finance@example.org',
  subject: '[Offertory] Gift 12 reversed: USD 10.00 (txt2give)',
  text: 'Giver: Søren Ødegård\n',
  html: '<p>Giver: Søren Ødegård</p>',
  messageId: '<reversal.7f0c1a52.0123456789abcdef@notices.offertory>',
  date: new Date('2026-07-27T08:00:00Z'),
};
const unlimited = new AbortController().signal;

describe('mails as files', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'offertory-mail-'));
  });
  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  it('writes a standard mail that other users of the machine cannot read', async () => {
    await new MailFileTransport(join(dataDir, 'new')).send(mail, unlimited);
    const directory = join(dataDir, 'new', 'mail');
    const path = join(directory, 'reversal.7f0c1a52.0123456789abcdef.eml');
    const parsed = await simpleParser(await readFile(path));
    expect(parsed.messageId).toBe(mail.messageId);
    expect(parsed.date).toEqual(mail.date);
    expect(parsed.subject).toBe(mail.subject);
    expect(parsed.text).toBe(mail.text);
    expect(parsed.to).toMatchObject({ text: 'finance@example.org' });
    expect(parsed.from?.text).toContain('gifts@example.org');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it('makes a directory private that others could enter', async () => {
    await mkdir(join(dataDir, 'mail'));
    await chmod(join(dataDir, 'mail'), 0o755);
    await new MailFileTransport(dataDir).send(mail, unlimited);
    expect((await stat(join(dataDir, 'mail'))).mode & 0o777).toBe(0o700);
  });

  it('replaces the file when the same mail is sent again, and leaves no other files', async () => {
    const transport = new MailFileTransport(dataDir);
    await Promise.all([1, 2, 3].map(() => transport.send(mail, unlimited)));
    expect(await readdir(join(dataDir, 'mail'))).toEqual(['reversal.7f0c1a52.0123456789abcdef.eml']);
  });

  it('does not write outside of its directory', async () => {
    await new MailFileTransport(dataDir).send({ ...mail, messageId: '<../../x/../y@z>' }, unlimited);
    expect(await readdir(join(dataDir, 'mail'))).toEqual(['.._.._x_.._y.eml']);
  });

  it('reports the reason when it cannot write', async () => {
    await writeFile(join(dataDir, 'mail'), 'a file where the directory should be');
    const sending = new MailFileTransport(dataDir).send(mail, unlimited);
    await expect(sending).rejects.toBeInstanceOf(MailNotSentError);
    await expect(sending).rejects.toMatchObject({ reason: 'EEXIST', isFinal: false });
  });
});
