import { existsSync } from 'node:fs';
import { generatePassword, type UserAccounts } from './auth/index.js';
import type { Mode } from './config/index.js';

const API_ROLES = ['Developer', 'APIOnly', 'APIWrite'];
const FIRST_USER = 'api';
const FINANCE_USER = 'treasurer';

/** What {@link greetFirstStart} needs to know about the installation. */
export interface FirstStart {
  readonly mode: Mode;
  readonly embedded: boolean;
  /** Address of the service without a trailing slash: http://127.0.0.1:3000 */
  readonly baseUrl: string;
  /** The directory where mails are written as files; undefined when SMTP_URL is set. */
  readonly mailDirectory: string | undefined;
  /** Whether somebody is notified of a reversal. */
  readonly hasRecipients: boolean;
  /** Receives the greeting. With LOG_FORMAT=json this is not standard output, which must stay JSON. */
  readonly stream: NodeJS.WriteStream;
}

/**
 * Prints the next steps when there is no user yet. In the embedded database it creates the first two users, one for a
 * processor and one for Finance, with random passwords that are shown only now. With any other database the operator
 * creates the users.
 */
export async function greetFirstStart(users: UserAccounts, start: FirstStart): Promise<void> {
  if (!(await users.isEmpty())) return;
  const commandLine = COMMAND_LINES[start.mode];
  if (!start.embedded) {
    print(start.stream, [
      'There is no user yet. To create one for a donation processor, and one for Finance, who works with the console at',
      `${start.baseUrl}/console:`,
      '',
      `  ${commandLine} ${CREATE_USER}`,
      `  ${commandLine} ${CREATE_FINANCE_USER} --email <address>`,
    ]);
    return;
  }
  const password = generatePassword();
  // Another process that started at the same moment may have created the user and printed the greeting.
  if (!(await users.createFirst({ username: FIRST_USER, password, roles: API_ROLES }))) return;
  const financePassword = generatePassword();
  await users.create({ username: FINANCE_USER, password: financePassword, roles: ['Finance'] });
  print(start.stream, [
    `The user "${FIRST_USER}" was created for you. Its password is shown only once. To record a gift and reverse it:`,
    '',
    addGift(start.baseUrl, password),
    reverseGift(start.baseUrl, password),
    '',
    ...noticeLines(start),
    '',
    `To see the gift in a browser, open ${start.baseUrl}/console and log in:`,
    `  user name ${FINANCE_USER}, password ${financePassword}`,
    '',
    `To create more users: ${commandLine} ${CREATE_USER}`,
  ]);
}

/** The script of `npm run offertory`. It is above `src` in the tests, and above `dist/src` in a build. */
const NPM_SCRIPT = ['../scripts/offertory.mjs', '../../scripts/offertory.mjs'];

const WITH_NPM = 'npm run --silent offertory --';

/** How the operator runs a command. The image does not contain the script; its commands run in the container. */
const COMMAND_LINES: Readonly<Record<Mode, string>> = NPM_SCRIPT.some((path) =>
  existsSync(new URL(path, import.meta.url)),
)
  ? { live: WITH_NPM, test: WITH_NPM }
  : { live: 'docker compose exec api offertory', test: 'docker compose --profile test exec test offertory' };

const CREATE_USER = `user create <username> --roles ${API_ROLES.join(',')}`;
const CREATE_FINANCE_USER = `user create ${FINANCE_USER} --roles Finance`;

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

/** Says who is notified of that reversal, and how. */
function noticeLines({ mode, mailDirectory, hasRecipients }: FirstStart): string[] {
  if (mailDirectory !== undefined) {
    return [
      'Finance is notified of the reversal by mail. SMTP_URL is not set, so each mail becomes a file within seconds:',
      `  ls ${mailDirectory}/*.eml`,
    ];
  }
  if (hasRecipients) return ['Finance is notified of the reversal by mail.'];
  return [
    'No one is notified of the reversal yet. To add a recipient:',
    `  ${COMMAND_LINES[mode]} user set-email ${FINANCE_USER} <address>`,
  ];
}

/** Does not use the logger, because people copy these lines. */
function print(stream: NodeJS.WriteStream, lines: readonly string[]): void {
  stream.write(`\n${lines.join('\n')}\n\n`);
}
