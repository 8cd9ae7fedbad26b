import { Command } from 'commander';
import { idArgument, print, type RunWith, withJson } from '../../command-line/index.js';
import { Contacts } from './contacts.service.js';

/** `offertory contact …`: by which e-mail addresses and phone numbers people are known. */
export function contactCommand(run: RunWith): Command {
  return new Command('contact')
    .description('e-mail addresses and phone numbers of people; only confirmed ones are used for matching')
    .addCommand(
      withJson(new Command('list'))
        .description('shows those of a person, or all that wait to be confirmed')
        .argument('[PeopleId]', 'whose', idArgument)
        .action((peopleId: number | undefined, _options: object, command: Command) =>
          run(Contacts, async (contacts) => {
            print(command, await contacts.list(peopleId));
          }),
        ),
    )
    .addCommand(
      withJson(new Command('confirm'))
        .description('from now on gifts with it match the person')
        .argument('<id>', "the contact's id", idArgument)
        .action((id: number, _options: object, command: Command) =>
          run(Contacts, async (contacts) => {
            print(command, await contacts.confirm(id));
          }),
        ),
    )
    .addCommand(
      withJson(new Command('remove'))
        .description('forgets it, and shows what it was')
        .argument('<id>', "the contact's id", idArgument)
        .action((id: number, _options: object, command: Command) =>
          run(Contacts, async (contacts) => {
            print(command, await contacts.remove(id));
          }),
        ),
    );
}
