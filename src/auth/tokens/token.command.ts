import { Command, InvalidArgumentError } from 'commander';
import { idArgument, print, type RunWith, withJson } from '../../command-line/index.js';
import { isFault, readNetwork, type Reading } from '../../values/index.js';
import { readLifetime } from './parsing/token-lifetime.js';
import { readScopes, TOKEN_SCOPES, type TokenScope } from './parsing/token-scope.js';
import { Tokens } from './tokens.service.js';

interface CreateOptions {
  name?: string;
  scopes?: readonly TokenScope[];
  expires?: number;
  from?: readonly string[];
}

/** `offertory token …`: manages the tokens with which programs log in. */
export function tokenCommand(run: RunWith): Command {
  return new Command('token')
    .description('manages tokens, with which programs log in instead of with the password of their user')
    .addCommand(create(run))
    .addCommand(list(run))
    .addCommand(revoke(run));
}

function create(run: RunWith): Command {
  return withJson(new Command('create'))
    .description('creates a token of a user and prints it once; earlier tokens stay valid')
    .argument('<username>')
    .option('--name <name>', 'a name for token list, such as the program that uses the token')
    .option(
      '--scopes <scopes>',
      `comma-separated: ${TOKEN_SCOPES.join(', ')} (default: all that the user's roles allow)`,
      (text: string) => valueOf(readScopes(text)),
    )
    .option('--expires <time>', 'when it ends to be valid, such as 365d or 12h (default: never)', (text: string) =>
      valueOf(readLifetime(text)),
    )
    .option(
      '--from <networks>',
      'comma-separated networks from which alone it is accepted (default: any)',
      readNetworks,
    )
    .addHelpText('after', `\nExample:\n  offertory token create txt2give --expires 365d --from 203.0.113.0/24\n`)
    .action(
      async (
        username: string,
        { name, scopes, expires: lifetimeHours, from: networks }: CreateOptions,
        command: Command,
      ) =>
        run(Tokens, async (tokens) => {
          const settings = {
            ...(name !== undefined && { name }),
            ...(scopes !== undefined && { scopes }),
            ...(lifetimeHours !== undefined && { lifetimeHours }),
            ...(networks !== undefined && { networks }),
          };
          print(command, await tokens.create(username, settings));
        }),
    );
}

function list(run: RunWith): Command {
  return withJson(new Command('list'))
    .description('shows all tokens, or those of a user, without the tokens themselves')
    .argument('[username]')
    .action((username: string | undefined, _options: object, command: Command) =>
      run(Tokens, async (tokens) => {
        print(command, await tokens.list(username));
      }),
    );
}

function revoke(run: RunWith): Command {
  return withJson(new Command('revoke'))
    .description('makes a token invalid for ever, from the next call on')
    .argument('<id>', 'the id that token list shows', idArgument)
    .action((id: number, _options: object, command: Command) =>
      run(Tokens, async (tokens) => {
        print(command, await tokens.revoke(id));
      }),
    );
}

function readNetworks(text: string): readonly string[] {
  const networks = text.split(',').map((part) => {
    const network = part.trim();
    return valueOf(readNetwork(network), `${network || 'A network'} `);
  });
  return [...new Set(networks)];
}

/** @throws InvalidArgumentError with the fault. @param subject of the sentence. */
function valueOf<T>(reading: Reading<T>, subject = 'It '): T {
  if (isFault(reading)) throw new InvalidArgumentError(`${subject}${reading.fault}.`);
  return reading.value;
}
