import type { VNode } from 'preact';
import { Confirmation, type FormState, Link, queryOf, Table } from '../../../../pages/index.js';
import type { MergePreview, PersonToMerge } from '../../merging/merge-preview.js';
import { countInWords, giftsInWords } from '../../merging/merge-words.js';

interface MergeToConfirmProps {
  readonly reviewId: number;
  readonly preview: MergePreview;
  readonly state: FormState;
}

const ROWS: readonly (readonly [label: string, of: (one: PersonToMerge) => string | number])[] = [
  ['Name', ({ person }) => `${person.first} ${person.last}`],
  ['Contacts', ({ person }) => person.contacts.map(({ value }) => value).join(', ')],
  ['Gifts', giftsInWords],
  ['Open reviews', ({ openReviews }) => openReviews],
];

/** Both persons side by side, and what a merge moves. */
export function MergeToConfirm({ reviewId, preview, state }: MergeToConfirmProps): VNode {
  const [from, into] = [preview.from.person, preview.into.person];
  const path = `/console/reviews/${reviewId}`;
  return (
    <>
      <Table
        caption="Both persons"
        rows={ROWS}
        keyOf={([label]) => label}
        empty={null}
        columns={[
          { header: 'Detail', cell: ([label]) => label },
          { header: `Person ${from.peopleId}, merged`, cell: ([, of]) => of(preview.from) },
          { header: `Person ${into.peopleId}, kept`, cell: ([, of]) => of(preview.into) },
        ]}
      />
      <p>
        <Link to={`${path}/merge${queryOf({ other: into.peopleId, keep: from.peopleId })}`} hotkey="s">
          Keep person {from.peopleId} instead
        </Link>
      </p>
      <Confirmation
        to={`${path}/merge`}
        fields={{
          ...{ From: String(from.peopleId), Version: from.version },
          ...{ Into: String(into.peopleId), IntoVersion: into.version },
        }}
        button={`Merge person ${from.peopleId} into ${into.peopleId} for ever`}
        back={path}
        state={state}
      >
        <WhatMoves preview={preview} />
      </Confirmation>
    </>
  );
}

function WhatMoves({ preview: { from, into, newContacts } }: Pick<MergeToConfirmProps, 'preview'>): VNode {
  return (
    <>
      <p>
        {giftsInWords(from)}, {countInWords(newContacts.length, 'contact')} and{' '}
        {countInWords(from.openReviews, 'open review')} move to {into.person.first} {into.person.last}. Amounts, days,
        funds and bundles do not change.
      </p>
      <p>
        It cannot be undone. The id {from.person.peopleId} leads to person {into.person.peopleId} from now on.
      </p>
    </>
  );
}
