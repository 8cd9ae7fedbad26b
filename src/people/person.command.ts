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
    .description('edits a person; an empty text removes a nickname or former last name')
    .argument('<PeopleId>', "the person's id", idArgument)
    .option('--first <name>', 'first name')
    .option('--last <name>', 'last name')
    .option('--nickname <name>', 'nickname; matches like the first name')
    .option('--former-last <name>', 'former last name; matches like the last name')
    .addOption(new Option('--deceased', 'marks the person as deceased: gifts are listed for review'))
    .option('--no-deceased', 'removes that mark')
    .action((peopleId: number, { first, last, nickname, formerLast, deceased }: EditOptions, command: Command) =>
      run(PersonRecords, async (persons) => {
        const edited = await persons.edit({
          peopleId,
          ...(first !== undefined && { first }),
          ...(last !== undefined && { last }),
          ...(deceased !== undefined && { deceased }),
          ...(nickname !== undefined && { nickname: nickname === '' ? null : nickname }),
          ...(formerLast !== undefined && { formerLast: formerLast === '' ? null : formerLast }),
        });
        print(command, edited);
      }),
    );
}

function inWords({ peopleId, first, last, email }: PersonView): string {
  return `${peopleId} (${first} ${last}, ${email})`;
}
