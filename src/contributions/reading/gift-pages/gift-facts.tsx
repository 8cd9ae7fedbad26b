import type { VNode } from 'preact';
import { Amount, type Column, Day, Facts, Link, Moment, Table } from '../../../pages/index.js';
import { specialType } from '../../ledger/index.js';
import type { FoundGift } from '../searching/found-gift-view.js';
import type { GiftDetails } from './read-gift.service.js';
import { detailInWords, methodInWords, typeColumn } from './wording.js';

type Fact = readonly [name: string, value: VNode | string];

const given = (name: string, value: VNode | string | null | undefined): readonly Fact[] =>
  value === null || value === undefined || value === '' ? [] : [[name, value]];

/** What is known of the gift and its payment. */
export function GiftFacts(details: GiftDetails): VNode {
  return <Facts facts={[...factsOfGift(details), ...factsOfPayment(details), ...factsOfRecord(details)]} />;
}

function factsOfGift({ gift, giver, gifts }: GiftDetails): readonly Fact[] {
  const shown = gifts.find(({ contributionId }) => contributionId === gift.contributionId);
  return [
    ['Day', <Day value={gift.day} />],
    [
      'Giver',
      <Link to={`/console/people/${giver.peopleId}`}>
        {giver.first} {giver.last}
      </Link>,
    ],
    ['Fund', shown?.fund ?? ''],
    ['Amount', <Amount value={gift.amount} currency={gift.currency} />],
    ...given('Type', specialType(gift.contributionTypeId, shown?.contributionType)),
    ...given(
      'Left',
      shown === undefined || shown.left === gift.amount ? null : <Amount value={shown.left} currency={gift.currency} />,
    ),
    ...given(
      'Status',
      gift.status === 'Reversed' ? 'Taken back' : shown?.left === gift.amount ? 'Recorded' : 'Taken back in part',
    ),
    ...given('Notes', gift.notes),
  ];
}

function factsOfPayment({ gift: { payment, currency } }: GiftDetails): readonly Fact[] {
  return [
    ...given('Method', methodInWords(payment)),
    ...given('Fee', payment.fee && <Amount value={payment.fee} currency={currency} />),
    ...given('After the fee', payment.net && <Amount value={payment.net} currency={currency} />),
    ...given('Payout', payment.payoutId),
  ];
}

function factsOfRecord({ gift }: GiftDetails): readonly Fact[] {
  return [
    ['Processor', gift.createdBy],
    ...given('Source', gift.source),
    ...given('Transaction id', gift.transactionId && <code>{gift.transactionId}</code>),
    ['Gift number', String(gift.contributionId)],
    ['Bundle', <Link to={`/console/bundles/${gift.bundleId}`}>Bundle {gift.bundleId}</Link>],
    ['Recorded', <Moment value={new Date(gift.createdAt)} />],
    ...given('Undoes', gift.reinstates === null ? null : `The reversal by entry ${gift.reinstates}`),
  ];
}

const PARTS: readonly Column<FoundGift>[] = [
  {
    header: 'Gift',
    cell: ({ contributionId }) => <Link to={`/console/gifts/${contributionId}`}>{contributionId}</Link>,
  },
  { header: 'Fund', cell: ({ fund }) => fund },
  { header: 'Amount', align: 'right', cell: ({ amount, currency }) => <Amount value={amount} currency={currency} /> },
  { header: 'Left', align: 'right', cell: ({ left, currency }) => <Amount value={left} currency={currency} /> },
];

/** The gifts of a payment that has several. */
export function PartsOfPayment({ gift, gifts, left }: GiftDetails): VNode | null {
  if (gifts.length < 2) return null;
  return (
    <section aria-labelledby="parts">
      <h2 id="parts">The whole payment</h2>
      <p class="help">It was paid at once. To change its giver or to take it back is for all of it.</p>
      <Table
        caption="The gifts of the payment"
        rows={gifts}
        keyOf={({ contributionId }) => contributionId}
        columns={[...PARTS, ...typeColumn(gifts)]}
        empty=""
        totals={{
          Gift: 'Paid, and left',
          Amount: <Amount value={gift.payment.amount} currency={gift.currency} />,
          Left: <Amount value={left} currency={gift.currency} />,
        }}
      />
    </section>
  );
}

interface Detail {
  readonly name: string;
  readonly sent: string;
  readonly now: string;
}

const DETAILS: readonly Column<Detail>[] = [
  { header: 'Detail', cell: ({ name }) => name },
  { header: 'As sent', cell: ({ sent }) => sent },
  { header: 'Person now', cell: ({ now }) => now },
];

/** The giver as sent beside the person, and how the person was found. */
export function GiverAsSent({ gift, giver, history, names }: GiftDetails): VNode | null {
  const { giver: sent } = gift;
  if (sent === null) return null;
  const contacts = (kind: 'email' | 'phone'): string =>
    giver.contacts.flatMap((contact) => (contact.kind === kind ? [contact.value] : [])).join(', ');
  const rows: readonly Detail[] = [
    { name: 'Name', sent: `${sent.first} ${sent.last}`, now: `${giver.first} ${giver.last}` },
    { name: 'E-mail', sent: sent.email, now: contacts('email') },
    { name: 'Phone', sent: sent.phone, now: contacts('phone') },
    { name: 'Address', sent: sent.address ?? '', now: giver.address ?? '' },
    { name: 'Postal code', sent: sent.zip ?? '', now: giver.zip ?? '' },
  ].filter((row) => row.sent !== '' || row.now !== '');
  return (
    <section aria-labelledby="giver">
      <h2 id="giver">Giver as sent, and the person now</h2>
      <Table
        caption="The giver as sent, and the person now"
        rows={rows}
        keyOf={({ name }) => name}
        columns={DETAILS}
        empty=""
      />
      <HowFound gift={gift} history={history} names={names} />
    </section>
  );
}

/** How the person was found. If Finance has changed the giver since, that was another one. */
function HowFound({
  gift: { match, contributionId, peopleId },
  history,
  names,
}: Pick<GiftDetails, 'gift' | 'history' | 'names'>): VNode | null {
  if (match === null) return null;
  const first = history.find((event) => event.what === 'reassigned' && event.contributionId === contributionId);
  // A change that was undone is in the history, too.
  const former = first === undefined || first.from === peopleId ? null : first.from;
  return (
    <p>
      {former === null ? (
        WHY[match.by]
      ) : (
        <>
          Finance has changed the giver. Before that, it was <Person id={former} names={names} />.{' '}
          {WHY_FORMER[match.by]}
        </>
      )}
      {match.by === 'match' && ` by ${match.on.map(detailInWords).join(', ')}.`}
      {match.otherCandidates.length > 0 && ' Others who matched: '}
      {match.otherCandidates.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Person id={id} names={names} />
        </span>
      ))}
    </p>
  );
}

const WHY = {
  id: 'The processor named this person by number.',
  match: 'The person was found',
  created: 'Nobody matched when the gift arrived, so the person was added.',
} as const;

/** The same of a giver whom Finance has changed since. */
const WHY_FORMER = {
  id: 'The processor had named that person by number.',
  match: 'That person had been found',
  created: 'Nobody had matched when the gift arrived, so that person had been added.',
} as const;

function Person({ id, names }: { readonly id: number } & Pick<GiftDetails, 'names'>): VNode {
  return <Link to={`/console/people/${id}`}>{names.get(id) ?? `person ${id}`}</Link>;
}
