import { Command } from 'commander';
import { print, readStandardInput, type RunWith, withJson } from '../../command-line/index.js';
import { generatePassword } from '../passwords/password.js';
import { ROLE_NAMES } from './role-name.js';
import { UserAccounts } from './user-accounts.service.js';

interface CreateOptions {
  email?: string;
  roles?: string;
  passwordStdin?: boolean;
}

/** `offertory user …`: who may call the API, and who is told of reversals. */
export function userCommand(run: RunWith): Command {
  return new Command('user')
    .description('users of the API, and the Finance people who are told of reversals')
    .addCommand(create(run))
    .addCommand(list(run))
    .addCommand(setPassword(run))
    .addCommand(setEmail(run))
    .addCommand(active(run, 'disable', false))
    .addCommand(active(run, 'enable', true))
    .addCommand(roles(run, 'grant', 'gives roles to a user'))
    .addCommand(roles(run, 'revoke', 'takes roles from a user'));
}

function create(run: RunWith): Command {
  return withJson(new Command('create'))
    .description('creates a user; without --password-stdin makes a password and prints it once')
    .argument('<username>')
    .option('--email <address>', 'where notices go, if the user has the role Finance')
    .option('--roles <roles>', `comma-separated: ${ROLE_NAMES.join(', ')}`)
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText('after', `\nExample:\n  offertory user create txt2give --roles Developer,APIOnly,APIWrite\n`)
    .action(async (username: string, options: CreateOptions, command: Command) => {
      const { email } = options;
      const given = options.passwordStdin === true ? await readStandardInput() : undefined;
      const password = given ?? generatePassword();
      await run(UserAccounts, (users) =>
        users.create(username, password, {
          roles: commaSeparated(options.roles),
          ...(email !== undefined && { email }),
        }),
      );
      print(command, { username, ...(given === undefined && { password }) });
      if (email === undefined && commaSeparated(options.roles).includes('Finance')) {
        process.stderr.write(`${username} has no e-mail address, and so gets no notices of reversals (--email).\n`);
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
    .description('gives a user another password; without --password-stdin makes one and prints it once')
    .argument('<username>')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (username: string, options: CreateOptions, command: Command) => {
      const given = options.passwordStdin === true ? await readStandardInput() : undefined;
      const password = given ?? generatePassword();
      await run(UserAccounts, (users) => users.setPassword(username, password));
      print(command, { username, ...(given === undefined && { password }) });
    });
}

function setEmail(run: RunWith): Command {
  return withJson(new Command('set-email'))
    .description('where notices go, if the user has the role Finance; without an address: nowhere')
    .argument('<username>')
    .argument('[address]')
    .action((username: string, address: string | undefined, _options: object, command: Command) =>
      run(UserAccounts, async (users) => {
        print(command, await users.setEmail(username, address));
      }),
    );
}

function active(run: RunWith, name: 'disable' | 'enable', value: boolean): Command {
  return withJson(new Command(name))
    .description(value ? 'lets a disabled user in again' : 'lets a user in no more, from the very next request')
    .argument('<username>')
    .action((username: string, _options: object, command: Command) =>
      run(UserAccounts, async (users) => {
        print(command, await users.setActive(username, value));
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
        print(command, await users[name](username, roles));
      }),
    );
}

function commaSeparated(text = ''): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
