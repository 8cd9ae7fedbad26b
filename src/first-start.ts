import { generatePassword, type UserAccounts } from './auth/index.js';

const API_ROLES = ['Developer', 'APIOnly', 'APIWrite'];
const FIRST_USER = 'api';

/** What the greeting needs to know of the service. */
export interface FirstStart {
  readonly embedded: boolean;
  /** Where the service is reached, without a trailing slash: http://127.0.0.1:3000 */
  readonly baseUrl: string;
}

/**
 * Tells somebody who starts the service for the first time how to go on. The embedded database gets its first user,
 * with a random password that is shown only now; elsewhere users are for the operator to make.
 */
export async function greetFirstStart(users: UserAccounts, { embedded, baseUrl }: FirstStart): Promise<void> {
  if (!(await users.isEmpty())) return;
  if (!embedded) {
    print(
      'There is no user yet. To make one for a donation processor (in the container without "npm run" and "--"):',
      '',
      `  ${CREATE_USER}`,
    );
    return;
  }
  const password = generatePassword();
  // Somebody who started at the same moment may have made it just now, and has greeted then.
  if (!(await users.createFirst(FIRST_USER, password, API_ROLES))) return;
  print(
    `The user "${FIRST_USER}" was made for you; its password is shown only this once. To record a gift and take it back:`,
    '',
    addGift(baseUrl, password),
    reverseGift(baseUrl, password),
    '',
    `To make further users: ${CREATE_USER}`,
  );
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

/** Not through the logger: these lines are to be copied as they stand. */
function print(...lines: readonly string[]): void {
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}
