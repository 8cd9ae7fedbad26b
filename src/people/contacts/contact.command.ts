import { Argument, Command } from 'commander';
import { COMMAND_LINE } from '../../audit/index.js';
import { idArgument, print, type RunWith, withJson } from '../../command-line/index.js';
import { ContactNotFoundError } from '../errors.js';
import { CONTACT_KINDS } from '../person-view.js';
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
    .addCommand(add(run))
    .addCommand(change(run, 'confirm', 'confirms a contact: from now on, gifts with it match the person'))
    .addCommand(change(run, 'remove', 'deletes a contact, and prints it'));
}

function add(run: RunWith): Command {
  return withJson(new Command('add'))
    .description('adds a confirmed contact to a person')
    .argument('<PeopleId>', "the person's id", idArgument)
    .addArgument(new Argument('<kind>', 'what it is').choices(CONTACT_KINDS))
    .argument('<value>', 'the e-mail address or phone number')
    .action(
      (peopleId: number, kind: (typeof CONTACT_KINDS)[number], value: string, _options: object, command: Command) =>
        run(Contacts, async (contacts) => {
          print(command, await contacts.add({ peopleId, kind, value, by: COMMAND_LINE }));
        }),
    );
}

function change(run: RunWith, name: 'confirm' | 'remove', description: string): Command {
  return withJson(new Command(name))
    .description(description)
    .argument('<id>', "the contact's id", idArgument)
    .action((id: number, _options: object, command: Command) =>
      run(Contacts, async (contacts) => {
        print(command, await changed(contacts, name, id));
      }),
    );
}

async function changed(contacts: Contacts, name: 'confirm' | 'remove', id: number): Promise<object> {
  try {
    return await contacts[name](id);
  } catch (error) {
    if (!(error instanceof ContactNotFoundError)) throw error;
    throw new Error(`${error.message} To see those of a person: contact list <PeopleId>`, { cause: error });
  }
}
