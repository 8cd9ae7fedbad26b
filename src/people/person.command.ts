import { Command, Option } from 'commander';
import { COMMAND_LINE } from '../audit/index.js';
import { confirm, idArgument, print, type RunWith, withConfirmation, withJson } from '../command-line/index.js';
import { MergePersons } from './merging/merge-persons.service.js';
import { PersonRecords } from './person-records.service.js';
import type { PersonView } from './person-view.js';

interface EditOptions {
  first?: string;
  last?: string;
  nickname?: string;
  formerLast?: string;
  email?: string;
  phone?: string;
  address?: string;
  zip?: string;
  deceased?: boolean;
}

/** `offertory person …`: the people who give. */
export function personCommand(run: RunWith): Command {
  return new Command('person')
    .description('the people who give')
    .addCommand(
      withJson(new Command('show'))
        .description('shows a person, with all contacts')
        .argument('<PeopleId>', "the person's id", idArgument)
        .action((peopleId: number, _options: object, command: Command) =>
          run(PersonRecords, async (persons) => {
            print(command, await persons.read(peopleId));
          }),
        ),
    )
    .addCommand(edit(run))
    .addCommand(
      withConfirmation(withJson(new Command('merge')))
        .description('merges two records of the same person: gifts and contacts of the first move to the second')
        .argument('<from>', 'PeopleId that becomes a pointer to the other', idArgument)
        .argument('<into>', 'PeopleId that is kept', idArgument)
        .action((from: number, into: number, _options: object, command: Command) =>
          run(MergePersons, async (merge) => {
            const [one, other] = (await merge.readBoth({ from, into })).map(inWords);
            await confirm(command, `Make person ${one} a pointer to person ${other}? It cannot be undone.`);
            print(command, await merge.merge({ from, into, by: COMMAND_LINE }));
          }),
        ),
    );
}

function edit(run: RunWith): Command {
  return withJson(new Command('edit'))
    .description('edits a person; an empty text removes a nickname, former last name, address or zip')
    .argument('<PeopleId>', "the person's id", idArgument)
    .option('--first <name>', 'first name')
    .option('--last <name>', 'last name')
    .option('--nickname <name>', 'nickname; matches like the first name')
    .option('--former-last <name>', 'former last name; matches like the last name')
    .option('--email <address>', 'e-mail address; it becomes a confirmed contact, and the old one stays one')
    .option('--phone <number>', 'phone number; likewise')
    .option('--address <address>', 'postal address')
    .option('--zip <code>', 'postal code')
    .addOption(new Option('--deceased', 'marks the person as deceased: gifts are listed for review'))
    .option('--no-deceased', 'removes that mark')
    .action((peopleId: number, { nickname, formerLast, address, zip, ...others }: EditOptions, command: Command) =>
      run(PersonRecords, async (persons) => {
        const { first, last, email, phone, deceased } = others;
        const edited = await persons.edit({
          ...{ peopleId, first, last, email, phone, deceased },
          nickname: orNull(nickname),
          formerLast: orNull(formerLast),
          address: orNull(address),
          zip: orNull(zip),
        });
        print(command, edited);
      }),
    );
}

/** An empty text removes a detail. */
function orNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text;
}

function inWords({ peopleId, first, last, email }: PersonView): string {
  return `${peopleId} (${first} ${last}, ${email})`;
}
