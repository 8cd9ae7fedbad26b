import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { GRACE } from '../../../test/support/grace-church.js';
import { REVERSAL_REASONS, type ReversalReason } from '../../contributions/events/index.js';
import { ComposeNotice } from './compose-notice.js';
import type { ReversalFacts } from './notice-facts.js';
import { senderOf } from '../transport/sender.js';

const notices = new ComposeNotice(GRACE);

const EVENT: ReversalFacts = {
  eventId: '7f0c1a52-0f6c-4f0e-9a44-1d2f3b4c5d6e',
  contributionId: 12,
  reversingContributionId: 13,
  giver: { peopleId: 152, first: 'John', last: 'Appleseed' },
  amount: '10.00',
  left: '0.00',
  isPartial: false,
  currency: 'USD',
  fund: { id: 1, name: 'General' },
  entries: [{ contributionId: 12, reversingContributionId: 13, amount: '10.00', fund: { id: 1, name: 'General' } }],
  day: '2026-07-26',
  reason: null,
  source: 'txt2give',
  username: 'api',
  reversedAt: '2026-07-27T03:05:09.123Z',
};

async function mailed(event: ReversalFacts): Promise<Awaited<ReturnType<typeof simpleParser>>> {
  const notice = notices.of(event);
  const composer = createTransport({ streamTransport: true, buffer: true });
  const from = senderOf('a@example.org', 'Grace Church');
  const { message } = await composer.sendMail({ ...notice, from, to: 'b@example.org' });
  return await simpleParser(message);
}

function withoutTags(html: string): string {
  return html.replace(/<style>.*?<\/style>|<[^>]*>/gs, ' ');
}

describe('composing a notice', () => {
  it('contains all facts for Finance', () => {
    const { subject, text } = notices.of(EVENT);
    expect(subject).toBe('[Offertory] Gift 12 reversed: USD 10.00 (txt2give)');
    expect(text.split('\n').slice(0, 16)).toEqual([
      'A gift to Grace Church was taken back.',
      '',
      'Giver:            John Appleseed (PeopleId 152)',
      'Amount:           USD 10.00',
      'Left of the gift: nothing',
      'Reason:           not given',
      'Fund:             General',
      'Date of the gift: 2026-07-26',
      'ContributionId:   12',
      'Reversing entry:  13',
      'Reversed at:      2026-07-26 22:05:09 CDT (America/Chicago, UTC-05:00)',
      'Source:           txt2give',
      'User:             api',
      '',
      'What to do next',
      '',
    ]);
  });

  it('says how much of a gift was taken back, and what is left', () => {
    const { subject, text, html } = notices.of({ ...EVENT, amount: '3.00', left: '7.00', isPartial: true });
    expect(subject).toBe('[Offertory] Gift 12 partly reversed: USD 3.00 (txt2give)');
    expect(text).toMatch(/^A part of a gift to Grace Church was taken back\.\n\nGiver:/);
    expect(text).toContain('Amount:           USD 3.00\nLeft of the gift: USD 7.00\n');
    expect(html).toContain('USD 3.00 of a gift was taken back</h1>');
    expect(html).toContain('<td>USD 7.00</td>');
  });

  it.each(Object.entries(REVERSAL_REASONS))('has advice for the reason %s', (reason, { advice }) => {
    const { text, html } = notices.of({ ...EVENT, reason: reason as ReversalReason });
    expect(text).toContain(`Reason:           ${reason}\n`);
    expect(text).toContain(`User:             api\n\n${advice}\n\nWhat to do next\n`);
    expect(html).toContain(`<td>${reason}</td>`);
    expect(withoutTags(html)).toContain(advice);
  });

  it('has a line for each fund of a split gift', () => {
    const entry = (id: number, amount: string, name: string): NonNullable<ReversalFacts['entries']>[number] => {
      return { contributionId: id, reversingContributionId: id + 10, amount, fund: { id: name.length, name } };
    };
    const entries = [entry(12, '3.00', 'General'), entry(13, '6.50', 'Roof'), entry(14, '0.50', 'General')];
    const { text, html } = notices.of({ ...EVENT, entries });
    expect(text).toContain('Fund:             General: USD 3.50\nFund:             Roof: USD 6.50\nDate');
    expect(text).toContain('Reversing entry:  22, 23, 24\n');
    expect(html).toContain('<bdi>General: USD 3.50</bdi>');
    expect(html).toContain('<bdi>Roof: USD 6.50</bdi>');
  });

  it('names Finance where there is no source', () => {
    const { subject, text } = notices.of({ ...EVENT, source: null });
    expect(subject).toBe('[Offertory] Gift 12 reversed: USD 10.00 (Finance)');
    expect(text).toContain('Source:           Finance\n');
  });

  it('composes notices that the release before has stored', () => {
    const { left, isPartial, entries, reason, ...before } = EVENT;
    expect([left, isPartial, entries?.length, reason]).toEqual(['0.00', false, 1, null]);
    expect(notices.of(before)).toEqual(notices.of(EVENT));
  });

  it.each([
    ['1234567.50', 'USD', 'USD 1234567.50'],
    ['500.00', 'JPY', 'JPY 500'],
    ['500.50', 'JPY', 'JPY 500.50'],
    ['0.01', 'EUR', 'EUR 0.01'],
  ])('writes %s of %s as "%s"', (amount, currency, expected) => {
    expect(notices.of({ ...EVENT, amount, currency }).subject).toContain(`reversed: ${expected} (`);
  });

  it('prevents texts of callers from adding a header, a recipient or a line', async () => {
    const hostile = 'x\r\nBcc: thief@example.org\r\n\r\nAmount: USD 1.00\u2028\u202Egpj\u0000\u200B';
    const mail = await mailed({
      ...EVENT,
      giver: { peopleId: 1, first: hostile, last: '<b>Tom</b>' },
      source: hostile,
      fund: { id: 1, name: hostile },
      username: hostile,
    });
    expect([...mail.headers.keys()].sort()).toEqual(
      ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
    );
    expect(mail.subject).toBe(
      '[Offertory] Gift 12 reversed: USD 10.00 (x Bcc: thief[@]example[.]org Amount: USD 1.00 gpj)',
    );
    expect(mail.text?.split('\n').filter((line) => line.startsWith('Amount:'))).toEqual([
      'Amount:           USD 10.00',
    ]);
  });

  it('has the same number of lines for any texts', () => {
    const lines = notices.of(EVENT).text.split('\n').length;
    const anything = fc.string({ unit: 'binary', maxLength: 100 });
    fc.assert(
      fc.property(anything, anything, anything, anything, (first, last, source, username) => {
        const { subject, text } = notices.of({ ...EVENT, giver: { peopleId: 1, first, last }, source, username });
        expect(text.split(/[\r\n\u0085\u2028\u2029]/)).toHaveLength(lines);
        // eslint-disable-next-line no-control-regex -- the test looks for control characters
        expect(subject).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
      }),
    );
  });

  it('escapes texts of callers in HTML, so that they add no tags', async () => {
    const hostile = '"><img src=x onerror=alert(1)><a href="https://thief.example">\u202Egift\u202C</a>';
    const mail = await mailed({
      ...EVENT,
      giver: { peopleId: 1, first: hostile, last: hostile },
      source: hostile,
      fund: { id: 1, name: hostile },
      username: hostile,
    });
    const html = String(mail.html);
    expect(html).not.toMatch(/<img|<a |onerror=alert|[\u202A-\u202E\u2066-\u2069]/);
    expect(html).toContain('&lt;img src&#x3D;x onerror&#x3D;alert(1)&gt;');
    const tags = (text: string): string[] => text.match(/<[^>]*>/g) ?? [];
    expect(tags(html)).toEqual(tags(notices.of(EVENT).html));
  });

  it.each([
    'https://thief.example/refund?id=12',
    'HTTP://thief.example',
    '//thief.example',
    'www.thief.example',
    'thief.example/refund',
    'x.y.thief.co.uk',
    'täter.example',
    'thief.xn--p1ai',
    'thief。example',
    'thief．com',
    'https://203.0.113.7/refund',
    '203.0.113.7/refund',
    'https://[2001:db8::1]/refund',
    'mailto:thief@example.org',
    'thief@example.org',
    'thief@localhost',
    'ftp://thief.example',
    'tel:+19015550100',
    'ms-word:ofe|u|https://thief.example/a.docm',
    '<a href="https://thief.example">',
  ])('contains no link when a text of a caller is %s', async (hostile) => {
    const mail = await mailed({
      ...EVENT,
      giver: { peopleId: 1, first: hostile, last: `see ${hostile}.` },
      source: hostile,
      fund: { id: 1, name: hostile },
      username: hostile,
    });
    // mailparser makes links of plain text as mail programs do. HTML is plain text between its tags.
    const plain = await simpleParser(
      `Content-Type: text/plain; charset=utf-8\r\n\r\n${withoutTags(String(mail.html))}`,
    );
    for (const html of [mail.textAsHtml, plain.textAsHtml]) expect(html).not.toContain('<a ');
    expect(String(mail.html)).not.toContain('<a ');
    const urls = /[a-z]:\/\/|www\.|thief\.|\.example|\w@\w|mailto:|tel:/iu;
    for (const part of [mail.text, mail.subject, withoutTags(String(mail.html))]) expect(part).not.toMatch(urls);
  });

  it('leaves names and sources without addresses as they are', () => {
    for (const name of [
      'J.R. Smith',
      'Dr. Ann O’Dell, Jr.',
      'a: b',
      'Plan 2.5',
      'tithe / roof',
      '10:30',
      'Ann @ work',
    ]) {
      const { text } = notices.of({ ...EVENT, giver: { peopleId: 1, first: name, last: 'Lee' }, source: name });
      expect(text).toContain(`Giver:            ${name} Lee (`);
      expect(text).toContain(`Source:           ${name}\n`);
    }
  });

  it('contains the same facts in HTML as in text', () => {
    const { text, html } = notices.of(EVENT);
    for (const [, value = ''] of text.matchAll(/^[A-Z][^:\n]+: +(.+)$/gm)) {
      for (const word of value.split(' ')) expect(html).toContain(word);
    }
  });

  it('has the name of the church or of MAIL_FROM as its sender', () => {
    const sender = (from: string): unknown => senderOf(from, 'Grace Church');
    expect(sender('gifts@example.org')).toEqual({ name: 'Grace Church', address: 'gifts@example.org' });
    expect(sender('Office <gifts@example.org>')).toEqual({ name: 'Office', address: 'gifts@example.org' });
    expect(sender('"The Office, Grace" <gifts@example.org>')).toEqual({
      name: 'The Office, Grace',
      address: 'gifts@example.org',
    });
  });

  it('preserves names in other scripts in the mail', async () => {
    const mail = await mailed({ ...EVENT, giver: { peopleId: 9, first: 'Søren', last: 'Ødegård 李' } });
    expect(mail.text).toContain('Giver:            Søren Ødegård 李 (PeopleId 9)');
  });
});
