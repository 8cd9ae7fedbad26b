import type { VNode } from 'preact';
import type { AuditEntryView } from '../../../audit/index.js';
import { Amount, type Column, Day, Facts, type FormState, Link, Moment, queryOf, Table } from '../../../pages/index.js';
import type { GiverView, YearOfGiving } from '../giving/giver-view.js';
import { typeColumn } from '../gift-pages/wording.js';
import type { FoundGift } from '../searching/found-gift-view.js';
import { PersonContacts } from './person-contacts.js';
import type { PersonOnPage } from './read-person.service.js';

interface ContentProps {
  readonly read: PersonOnPage;
  readonly mayChange: boolean;
  readonly state: FormState;
}

/** Everything that is known of a person. */
export function PersonContent({ read: { person, gifts, changes }, mayChange, state }: ContentProps): VNode {
  return (
    <>
      {person.mergedInto !== null && (
        <p class="notice">
          This person was merged into{' '}
          <Link to={`/console/people/${person.mergedInto}`}>person {person.mergedInto}</Link>, who has the gifts and
          contacts now.
        </p>
      )}
      <Facts facts={factsOf(person)} />
      <PersonContacts person={person} mayChange={mayChange} state={state} />
      <section aria-labelledby="giving">
        <h2 id="giving">Giving by year</h2>
        <Table
          caption="Giving by year"
          rows={person.giving}
          keyOf={({ year, currency }) => `${year} ${currency}`}
          columns={person.giving.some(({ pledgeCount }) => pledgeCount > 0) ? [...YEARS, PLEDGES] : YEARS}
          empty="Nothing was given yet."
        />
      </section>
      <LatestGifts person={person} gifts={gifts} />
      <section aria-labelledby="changes">
        <h2 id="changes">Changes</h2>
        <Table
          caption="Changes of the person, the last first"
          rows={changes}
          keyOf={({ id }) => id}
          columns={CHANGES}
          empty="Nobody has changed this person yet. Gifts and readings are not listed here."
        />
      </section>
    </>
  );
}

function LatestGifts({ person, gifts }: Pick<PersonOnPage, 'person' | 'gifts'>): VNode {
  return (
    <section aria-labelledby="gifts">
      <h2 id="gifts">Gifts recorded last</h2>
      <Table
        caption="Gifts recorded last"
        rows={gifts}
        keyOf={({ contributionId }) => contributionId}
        columns={[...GIFTS, ...typeColumn(gifts)]}
        empty="There are no gifts."
      />
      {gifts.length > 0 && (
        <p class="back">
          <Link to={`/console/gifts${queryOf({ peopleId: person.peopleId })}`}>All gifts of this person</Link>
        </p>
      )}
    </section>
  );
}

function factsOf(person: GiverView): (readonly [string, VNode | string])[] {
  const { nickname, formerLast, address, zip } = person;
  const optional = [
    ['Nickname', nickname],
    ['Former last name', formerLast],
    ['Address', address],
    ['Postal code', zip],
  ] as const;
  return [
    ['Number', String(person.peopleId)],
    ...optional.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
    ...(person.deceased ? [['Deceased', 'Yes: gifts are listed for review'] as const] : []),
    ...(person.mergedFrom.length === 0
      ? []
      : [
          [
            'Merged from',
            <span>
              {person.mergedFrom.map((id, index) => (
                <span key={id}>
                  {index > 0 && ', '}
                  <Link to={`/console/people/${id}`}>person {id}</Link>
                </span>
              ))}
            </span>,
          ] as const,
        ]),
  ];
}

const YEARS: readonly Column<YearOfGiving>[] = [
  { header: 'Year', cell: ({ year }) => year },
  { header: 'Entries', align: 'right', cell: ({ count }) => count },
  { header: 'Total', align: 'right', cell: ({ total, currency }) => <Amount value={total} currency={currency} /> },
  {
    header: 'Deductible',
    align: 'right',
    cell: ({ deductibleTotal, currency }) => <Amount value={deductibleTotal} currency={currency} />,
  },
  {
    header: 'Not deductible',
    align: 'right',
    cell: ({ nonDeductibleTotal, currency }) => <Amount value={nonDeductibleTotal} currency={currency} />,
  },
  {
    header: 'In kind and stock',
    align: 'right',
    cell: ({ nonCashTotal, currency }) => <Amount value={nonCashTotal} currency={currency} />,
  },
];

/** What was only promised is no part of the other sums. */
const PLEDGES: Column<YearOfGiving> = {
  header: 'Pledged',
  align: 'right',
  cell: ({ pledgeCount, pledgeTotal, currency }) =>
    pledgeCount > 0 && <Amount value={pledgeTotal} currency={currency} />,
};

const GIFTS: readonly Column<FoundGift>[] = [
  {
    header: 'Day',
    cell: ({ contributionId, day }) => (
      <Link to={`/console/gifts/${contributionId}`}>
        <Day value={day} />
      </Link>
    ),
  },
  { header: 'Fund', cell: ({ fund }) => fund },
  { header: 'Amount', align: 'right', cell: ({ amount, currency }) => <Amount value={amount} currency={currency} /> },
  { header: 'Left', align: 'right', cell: ({ left, currency }) => <Amount value={left} currency={currency} /> },
  { header: 'Processor', cell: ({ processor }) => processor },
];

const CHANGES: readonly Column<AuditEntryView>[] = [
  { header: 'When', cell: ({ at }) => <Moment value={new Date(at)} /> },
  { header: 'Who', cell: ({ actor }) => actor },
  { header: 'What', cell: ({ meaning }) => meaning },
];
