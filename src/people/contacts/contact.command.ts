import { Command } from 'commander';
import { idArgument, print, type RunWith, withJson } from '../../command-line/index.js';
import { Contacts } from './contacts.service.js';

/** `offertory contact …`: the e-mail addresses and phone numbers of people. */
export function contactCommand(run: RunWith): Command {
  return new Command('contact')
    .description('e-mail addresses and phone numbers of people; only confirmed ones are used for matching')
    .addCommand(
      withJson(new Command('list'))
        .description('shows the contacts of a person, or all that are not yet confirmed')
        .argument('[PeopleId]', "the person's id", idArgument)
        .action((peopleId: number | undefined, _options: object, command: Command) =>
          run(Contacts, async (contacts) => {
            print(command, await contacts.read(peopleId));
          }),
        ),
    )
    .addCommand(change(run, 'confirm', 'confirms a contact: from now on, gifts with it match the person'))
    .addCommand(change(run, 'remove', 'deletes a contact, and prints it'));
}

function change(run: RunWith, name: 'confirm' | 'remove', description: string): Command {
  return withJson(new Command(name))
    .description(description)
    .argument('<id>', "the contact's id", idArgument)
    .action((id: number, _options: object, command: Command) =>
      run(Contacts, async (contacts) => {
        print(command, await contacts[name](id));
      }),
    );
}
