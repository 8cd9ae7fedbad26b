import { generatePassword, type UserAccounts } from './auth/index.js';

const API_ROLES = ['Developer', 'APIOnly', 'APIWrite'];
const FIRST_USER = 'api';

/** What the greeting depends on. */
export interface FirstStart {
  readonly embedded: boolean;
  /** Address of the service without a trailing slash: http://127.0.0.1:3000 */
  readonly baseUrl: string;
  /** Where mails are written as files; undefined when SMTP_URL is set. */
  readonly mailDirectory: string | undefined;
  /** Whether a reversal has a recipient to be notified. */
  readonly hasRecipients: boolean;
  /** Where the greeting goes: standard output must stay JSON with LOG_FORMAT=json. */
  readonly stream: NodeJS.WriteStream;
}

/**
 * Tells a person who starts the service for the first time how to go on. The embedded database gets its first user,
 * with a random password that is shown only now; with any other database, users are for the operator to create.
 */
export async function greetFirstStart(users: UserAccounts, start: FirstStart): Promise<void> {
  if (!(await users.isEmpty())) return;
  if (!start.embedded) {
    print(start.stream, [
      'There is no user yet. To make one for a donation processor (in the container without "npm run" and "--"):',
      '',
      `  ${CREATE_USER}`,
    ]);
    return;
  }
  const password = generatePassword();
  // Another process that started at the same moment may have made the user and printed the greeting.
  if (!(await users.createFirst(FIRST_USER, password, API_ROLES))) return;
  print(start.stream, [
    `The user "${FIRST_USER}" was made for you; its password is shown only this once. To record a gift and take it back:`,
    '',
    addGift(start.baseUrl, password),
    reverseGift(start.baseUrl, password),
    '',
    ...noticeLines(start),
    `To make further users: ${CREATE_USER}`,
  ]);
}

const CREATE_USER = `npm run --silent offertory -- user create <username> --roles ${API_ROLES.join(',')}`;

const FIRST_GIFT = {
  First: 'John',
  Last: 'Appleseed',
  Email: 'john@example.org',
  Phone: '901-555-0101',
  Amount: '10.00',
  Source: 'txt2give',
};

function addGift(baseUrl: string, password: string): string {
  const body = JSON.stringify(FIRST_GIFT);
  return `curl -u ${FIRST_USER}:${password} -H 'Content-Type: application/json' -d '${body}' ${baseUrl}/Api/AddContribution`;
}

/** The first gift of a new database has the id 1. */
function reverseGift(baseUrl: string, password: string): string {
  return `curl -u ${FIRST_USER}:${password} -X POST ${baseUrl}/Api/ReverseContribution/1/txt2give`;
}

/** What becomes of the notice of that reversal. */
function noticeLines({ mailDirectory, hasRecipients }: FirstStart): string[] {
  if (mailDirectory !== undefined) {
    return [
      'Finance is notified of the reversal by mail. SMTP_URL is not set, so each mail becomes a file within seconds:',
      `  ls ${mailDirectory}/*.eml`,
    ];
  }
  if (hasRecipients) return ['Finance is notified of the reversal by mail.'];
  return [
    'No one is notified of the reversal yet. To add a recipient:',
    '  npm run --silent offertory -- user create treasurer --roles Finance --email <address>',
  ];
}

/** Not through the logger: these lines are to be copied as they stand. */
function print(stream: NodeJS.WriteStream, lines: readonly string[]): void {
  stream.write(`\n${lines.join('\n')}\n\n`);
}
