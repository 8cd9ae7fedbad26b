/** Who can do something about the server. A treasurer does not know an operator, and may be the same person. */
const ASK = 'Ask the person who runs Offertory on your server';

/** What the texts of mail servers and of the network mean, and who can do something about it. The first that fits counts. */
const MEANINGS: readonly (readonly [text: RegExp, meaning: string])[] = [
  [
    /written to/,
    `The mail could not be written to a file on the server. ${ASK} to make room on its disk, and to let Offertory write there.`,
  ],
  [
    /STARTTLS|certificate|TLS|SSL/i,
    `The connection to the mail server is not safe: its certificate or its encryption is not as it should be. ${ASK} to check the address of the mail server (the setting SMTP_URL).`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|getaddrinfo|queryA/i,
    `The name of the mail server was not found. ${ASK} to check it (the setting SMTP_URL), and the network of the server.`,
  ],
  [
    /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET|timed? ?out|timeout|greeting|closed unexpectedly/i,
    `The mail server did not answer. It may be down, or the network may be. ${ASK} to look at it if it lasts.`,
  ],
  [
    /\b53[045]\b|invalid login|authenticat|credentials|password/i,
    `The mail server refused the user name or the password of this service. ${ASK} to correct them (the setting SMTP_URL).`,
  ],
  [
    /quota|mailbox (is )?full|over ?limit|insufficient/i,
    'The mailbox of the recipient is full. It is sent when there is room again.',
  ],
  [
    /sender|mail from|spf|dkim|dmarc|relay/i,
    `The mail server does not accept mails of this sender. ${ASK} to check the address of the sender (the setting MAIL_FROM).`,
  ],
  [
    /\b5\.1\.(1|2|3|6|10)\b|no such|unknown|does ?n[o']t exist|not found|unrouteable/i,
    `The address does not exist. ${ASK} to correct it, and then try again.`,
  ],
  [
    /spam|block|black ?list|policy|reputation|denied/i,
    `The mail server takes this mail, or this service, for unwanted. ${ASK} to write to whoever runs the mail server.`,
  ],
  [/\b4\d\d\b/, 'The mail server asked to try again later. That is usual, and needs nothing from you.'],
];

/** @param error the stored text of the last failure. @returns what it means, as one or two sentences. */
export function faultInWords(error: string): string {
  const meaning = MEANINGS.find(([text]) => text.test(error))?.[1];
  return meaning ?? `The mail server did not take the mail. Its own words are below. ${ASK} what they mean.`;
}
