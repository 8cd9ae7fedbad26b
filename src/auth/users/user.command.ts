import { Command } from 'commander';
import { print, readStandardInput, type RunWith, withJson } from '../../command-line/index.js';
import { generatePassword, guessableFault, type NewPassword } from '../passwords/password.js';
import { ROLE_NAMES } from './role-name.js';
import { UserAccounts } from './user-accounts.service.js';

interface CreateOptions {
  email?: string;
  roles?: string;
  passwordStdin?: boolean;
}

/** `offertory user …`: manages users of the API and recipients of notices. */
export function userCommand(run: RunWith): Command {
  return new Command('user')
    .description('manages users of the API, and the Finance users who are notified of reversals')
    .addCommand(create(run))
    .addCommand(list(run))
    .addCommand(setPassword(run))
    .addCommand(setEmail(run))
    .addCommand(setActive(run, false))
    .addCommand(setActive(run, true))
    .addCommand(roles(run, 'grant', 'adds roles to a user'))
    .addCommand(roles(run, 'revoke', 'removes roles from a user'));
}

function create(run: RunWith): Command {
  return withJson(new Command('create'))
    .description('creates a user; without --password-stdin generates a password and prints it once')
    .argument('<username>')
    .option('--email <address>', 'the address for notices, if the user has the role Finance')
    .option('--roles <roles>', `comma-separated: ${ROLE_NAMES.join(', ')}`)
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText('after', `\nExample:\n  offertory user create txt2give --roles Developer,APIOnly,APIWrite\n`)
    .action(async (username: string, options: CreateOptions, command: Command) => {
      const { email } = options;
      const given = options.passwordStdin === true ? await readStandardInput() : undefined;
      const password = given ?? generatePassword();
      await run(UserAccounts, (users) =>
        users.create({
          username,
          password,
          email,
          roles: commaSeparated(options.roles),
        }),
      );
      print(command, { username, ...(given === undefined && { password }) });
      if (given !== undefined) await warnOfGuessable({ username, password: given });
      if (email === undefined && commaSeparated(options.roles).includes('Finance')) {
        process.stderr.write(`${username} gets no notices of reversals without an e-mail address (--email).\n`);
      }
    });
}

function list(run: RunWith): Command {
  return withJson(new Command('list'))
    .description('shows all users')
    .action((_options: object, command: Command) =>
      run(UserAccounts, async (users) => {
        print(command, await users.list());
      }),
    );
}

function setPassword(run: RunWith): Command {
  return withJson(new Command('set-password'))
    .description('changes the password of a user; without --password-stdin generates one and prints it once')
    .argument('<username>')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (username: string, options: CreateOptions, command: Command) => {
      const given = options.passwordStdin === true ? await readStandardInput() : undefined;
      const password = given ?? generatePassword();
      await run(UserAccounts, (users) => users.setPassword({ username, password }));
      print(command, { username, ...(given === undefined && { password }) });
      if (given !== undefined) await warnOfGuessable({ username, password: given });
    });
}

/** Only warns, unlike the console: scripts that were written for earlier releases keep working. */
async function warnOfGuessable(password: NewPassword): Promise<void> {
  const fault = await guessableFault(password);
  if (fault !== undefined) process.stderr.write(`Warning: a password ${fault}. Please set another one.\n`);
}

function setEmail(run: RunWith): Command {
  return withJson(new Command('set-email'))
    .description('changes the address for notices to a user with the role Finance; without an address removes it')
    .argument('<username>')
    .argument('[address]')
    .action((username: string, email: string | undefined, _options: object, command: Command) =>
      run(UserAccounts, async (users) => {
        print(command, await users.setEmail({ username, email }));
      }),
    );
}

function setActive(run: RunWith, active: boolean): Command {
  return withJson(new Command(active ? 'enable' : 'disable'))
    .description(active ? 'enables a disabled user again' : 'disables a user, from the next request on')
    .argument('<username>')
    .action((username: string, _options: object, command: Command) =>
      run(UserAccounts, async (users) => {
        print(command, await users.setActive({ username, active }));
      }),
    );
}

function roles(run: RunWith, name: 'grant' | 'revoke', description: string): Command {
  return withJson(new Command(name))
    .description(`${description}: ${ROLE_NAMES.join(', ')}`)
    .argument('<username>')
    .argument('<role...>')
    .action((username: string, names: string[], _options: object, command: Command) =>
      run(UserAccounts, async (users) => {
        const roles = names.flatMap((list) => commaSeparated(list));
        print(command, await users[name]({ username, roles }));
      }),
    );
}

function commaSeparated(text = ''): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
