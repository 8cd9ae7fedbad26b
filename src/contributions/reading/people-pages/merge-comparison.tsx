import type { ComponentChildren, VNode } from 'preact';
import { type Column, Confirmation, type FormState, Link, Table } from '../../../pages/index.js';
import type { MergePreview, PersonToMerge } from '../merging/merge-preview.js';
import { giftsInWords } from '../merging/merge-words.js';

interface ComparisonProps {
  readonly preview: MergePreview;
  readonly state: FormState;
}

interface Detail {
  readonly name: string;
  readonly from: ComponentChildren;
  readonly into: ComponentChildren;
}

/** Both persons side by side, what moves, and the button that merges them. */
export function MergeComparison({ preview, state }: ComparisonProps): VNode {
  const { from, into } = preview;
  const [fromId, intoId] = [from.person.peopleId, into.person.peopleId];
  const columns: readonly Column<Detail>[] = [
    { header: 'Detail', cell: ({ name }) => name },
    { header: `Person ${fromId}, who is merged`, cell: (row) => row.from },
    { header: `Person ${intoId}, who stays`, cell: (row) => row.into },
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
        <Link to={`/console/people/${intoId}/merge/${fromId}`}>Keep person {fromId} instead</Link>
      </p>
      <Confirmation
        to={`/console/people/${fromId}/merge/${intoId}`}
        fields={{ Version: from.person.version, IntoVersion: into.person.version }}
        button={`Merge into person ${intoId}`}
        back={`/console/people/${fromId}`}
        state={state}
      >
        <WhatMoves preview={preview} />
        <p>
          <strong>It cannot be undone.</strong> Single gifts can be given to another person later.
        </p>
      </Confirmation>
    </>
  );
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
            {from.openReviews === 1 ? '1 open review moves' : `${from.openReviews} open reviews move`} along, or close
            if the merge settles them.
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
    row('Contacts', ({ person }) => person.contacts.map(({ value }) => value).join(', ') || '–'),
    row('Address', ({ person }) => [person.address, person.zip].filter((text) => text !== null).join(', ') || '–'),
    row('Deceased', ({ person }) => (person.deceased ? 'Yes' : 'No')),
    row('Gifts', giftsInWords),
    row('Open reviews', ({ openReviews }) => openReviews),
  ];
}
