import type { ComponentChildren, VNode } from 'preact';
import { type Column, Confirmation, type FormState, Link, Table } from '../../../pages/index.js';
import { ContactValues } from '../contact-values.js';
import type { MergePreview, PersonToMerge } from '../merging/merge-preview.js';
import { giftsInWords } from '../merging/merge-words.js';

interface ComparisonProps {
  readonly preview: MergePreview;
  readonly state: FormState;
  /** The path to which the form is sent. */
  readonly to: string;
  /** What the form sends along, besides the versions of both. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The page on which the other person stays. */
  readonly swap: string;
  /** The page to go back to. */
  readonly back: string;
}

interface Detail {
  readonly name: string;
  readonly from: ComponentChildren;
  readonly into: ComponentChildren;
}

/** Both persons side by side, what moves, and the button that merges them. */
export function MergeComparison({ preview, state, to, fields, swap, back }: ComparisonProps): VNode {
  const { from, into } = preview;
  const columns: readonly Column<Detail>[] = [
    { header: 'Detail', cell: ({ name }) => name },
    { header: `Person ${from.person.peopleId}, who is merged`, cell: (row) => row.from },
    { header: `Person ${into.person.peopleId}, who stays`, cell: (row) => row.into },
  ];
  return (
    <>
      <Table
        caption="Both persons"
        rows={detailsOf(from, into)}
        keyOf={({ name }) => name}
        columns={columns}
        empty=""
      />
      <p class="back">
        <Link to={swap} hotkey="s">
          Keep {withNumber(from)} instead
        </Link>
      </p>
      <Confirmation
        to={to}
        fields={{ ...fields, Version: from.person.version, IntoVersion: into.person.version }}
        button={`Merge into ${withNumber(into)}, permanently`}
        back={back}
        state={state}
      >
        <WhatMoves preview={preview} />
        <p>
          <strong>It cannot be undone.</strong> The giver of single gifts can be changed later.
        </p>
      </Confirmation>
    </>
  );
}

/** The heading of the page: "Merge Jon Appleseed into John Appleseed?" */
export function mergeInWords({ from, into }: MergePreview): string {
  return `Merge ${nameOf(from)} into ${nameOf(into)}?`;
}

function WhatMoves({ preview }: { readonly preview: MergePreview }): VNode {
  const { from, into } = preview;
  const [fromId, intoId] = [from.person.peopleId, into.person.peopleId];
  return (
    <>
      <h2>What will happen</h2>
      <ul>
        <li>
          {nameOf(into)} gets {giftsInWords(from)}.
        </li>
        <li>{newContacts(preview)}</li>
        {from.openReviews > 0 && (
          <li>
            {from.openReviews === 1
              ? '1 open review moves along, or closes if the merge settles it.'
              : `${from.openReviews} open reviews move along, or close if the merge settles them.`}
          </li>
        )}
        <li>
          Person {fromId} leads to person {intoId} from now on, and gifts in the name of either match.
        </li>
        <li>Amounts, funds, days and bundles do not change.</li>
      </ul>
    </>
  );
}

function nameOf({ person }: PersonToMerge): string {
  return `${person.first} ${person.last}`;
}

function withNumber(one: PersonToMerge): string {
  return `${nameOf(one)}, person ${one.person.peopleId}`;
}

function newContacts({ newContacts: contacts, into }: MergePreview): string {
  if (contacts.length === 0) return `${nameOf(into)} has all contacts already.`;
  return `${nameOf(into)} gets ${contacts.map(({ value }) => value).join(', ')}.`;
}

function detailsOf(from: PersonToMerge, into: PersonToMerge): Detail[] {
  const row = (name: string, show: (side: PersonToMerge) => ComponentChildren): Detail => ({
    name,
    from: show(from),
    into: show(into),
  });
  return [
    row('Name', (side) => <Link to={`/console/people/${side.person.peopleId}`}>{nameOf(side)}</Link>),
    row('Nickname', ({ person }) => person.nickname ?? '–'),
    row('Former last name', ({ person }) => person.formerLast ?? '–'),
    row('Contacts', ({ person: { contacts } }) =>
      contacts.length === 0 ? '–' : <ContactValues contacts={contacts} />,
    ),
    row('Address', ({ person }) => [person.address, person.zip].filter((text) => text !== null).join(', ') || '–'),
    row('Deceased', ({ person }) => (person.deceased ? 'Yes' : 'No')),
    row('Gifts', giftsInWords),
    row('Open reviews', ({ openReviews }) => openReviews),
  ];
}
