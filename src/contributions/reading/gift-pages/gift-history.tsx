import type { ComponentChildren, VNode } from 'preact';
import { Amount, type Column, EmptyState, Link, Moment, queryOf, Table } from '../../../pages/index.js';
import type { ContributionView } from '../contribution-view.js';
import type { HistoryEvent } from '../contribution-history.service.js';
import { type GiftReversal, openEntriesOf, takenBy } from './gift-reversals.js';
import type { GiftDetails } from './read-gift.service.js';
import { reasonInWords } from './wording.js';

type ReversalsProps = GiftDetails & { readonly mayChange: boolean };

/** What was taken back of the payment, a row for each time, and the way to undo it. */
export function Reversals(props: ReversalsProps): VNode | null {
  if (props.reversals.length === 0) return null;
  return (
    <section aria-labelledby="reversals">
      <h2 id="reversals">Taken back</h2>
      <Table
        caption="What was taken back"
        rows={props.reversals}
        keyOf={({ first }) => first.contributionId}
        columns={columnsOf(props)}
        empty=""
      />
    </section>
  );
}

function columnsOf({ gift, funds, mayChange }: ReversalsProps): readonly Column<GiftReversal>[] {
  const { currency } = gift;
  const fundName = (fundId: number): string => funds.find((fund) => fund.fundId === fundId)?.name ?? '';
  return [
    { header: 'When', cell: ({ first }) => <Moment value={new Date(first.createdAt)} /> },
    {
      header: 'Amount',
      align: 'right',
      cell: ({ entries }) => <Amount value={`-${takenBy(entries, currency)}`} currency={currency} />,
    },
    { header: 'Fund', cell: ({ entries }) => fundsOf(entries, currency, fundName) },
    {
      header: 'Why',
      cell: ({ first: { reason, notes } }) =>
        [reason === null ? 'No reason was sent' : reasonInWords(reason), notes].filter(Boolean).join('. '),
    },
    { header: 'By', cell: ({ first }) => first.createdBy },
    { header: 'Refund id', cell: ({ first }) => first.refundId ?? '' },
    {
      header: 'Undone',
      cell: (reversal) => <Undone gift={gift} reversal={reversal} mayChange={mayChange} />,
    },
  ];
}

/** "General", or of several entries "General 67.00, Roof 33.00". */
function fundsOf(
  entries: readonly ContributionView[],
  currency: string,
  fundName: (fundId: number) => string,
): ComponentChildren {
  return entries.map((entry, index) => (
    <span key={entry.contributionId}>
      {index > 0 && ', '}
      {fundName(entry.fundId)}
      {entries.length > 1 && (
        <>
          {' '}
          <Amount value={takenBy([entry], currency)} currency={currency} />
        </>
      )}
    </span>
  ));
}

interface UndoneProps {
  readonly gift: ContributionView;
  readonly reversal: GiftReversal;
  readonly mayChange: boolean;
}

function Undone({ gift, reversal, mayChange }: UndoneProps): VNode {
  if (openEntriesOf(reversal).length === 0) {
    const gifts = reversal.entries.flatMap(({ reinstatedBy }) => reinstatedBy ?? []);
    return (
      <span>
        {gifts.map((id, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <Link to={`/console/gifts/${id}`}>
              {index === 0 ? 'As gift ' : ''}
              {id}
            </Link>
          </span>
        ))}
      </span>
    );
  }
  if (!mayChange) return <span>No</span>;
  const { contributionId } = reversal.first;
  return (
    <Link to={`/console/gifts/${gift.contributionId}/reinstate/${contributionId}`}>
      Undo…<span class="unseen"> the reversal by entry {contributionId}</span>
    </Link>
  );
}

/** Everything that happened to the payment, the oldest first. */
export function HistoryOfGift({ gift, history, funds, names }: GiftDetails): VNode {
  const fundName = (fundId: number | null): string => funds.find((fund) => fund.fundId === fundId)?.name ?? '';
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      {history.length === 0 && <EmptyState>Nothing has happened to this gift.</EmptyState>}
      <ol class="history">
        {history.map((event, index) => (
          <li key={index}>
            <Moment value={new Date(event.at)} />{' '}
            <span>
              <EventInWords {...event} currency={gift.currency} names={names} fundName={fundName} />
              {event.contributionId !== gift.contributionId && ` (gift ${event.contributionId})`}, by {event.by}
            </span>
          </li>
        ))}
      </ol>
      <p class="links">
        <Link to={`/console/changes${queryOf({ subject: `gift ${gift.contributionId}` })}`}>
          Changes of this gift in the audit trail
        </Link>
      </p>
    </section>
  );
}

type EventProps = HistoryEvent & {
  readonly currency: string;
  readonly names: ReadonlyMap<number, string>;
  readonly fundName: (fundId: number | null) => string;
};

function EventInWords(event: EventProps): VNode {
  const { amount, currency } = event;
  const money = amount === null ? null : <Amount value={amount} currency={currency} />;
  return <>{IN_WORDS[event.what](event, money)}</>;
}

type InWords = (event: EventProps, money: VNode | null) => ComponentChildren;

const IN_WORDS: Readonly<Record<HistoryEvent['what'], InWords>> = {
  recorded: (_event, money) => [money, ' recorded'],
  reassigned: ({ from, to, names }) => [
    'The giver is ',
    <PersonLink id={to} names={names} />,
    ', before that ',
    <PersonLink id={from} names={names} />,
  ],
  merged: ({ from, to, names }) => [
    'Moved to ',
    <PersonLink id={to} names={names} />,
    ' by a merge with ',
    <PersonLink id={from} names={names} />,
  ],
  reversed: ({ reason, note }, money) => [money, ' taken back', reason !== null && ` (${reason})`, inQuotes(note)],
  reinstated: (_event, money) => [money, ' added again: a reversal was undone'],
  'moved to another fund': ({ fromFund, toFund, fundName, note }, money) => [
    money,
    ` moved from ${fundName(fromFund)} to ${fundName(toFund)}`,
    inQuotes(note),
  ],
  'review accepted': () => 'Reviewed: kept as it is',
  'review closed': () => 'Review closed: its question was settled',
};

/** What somebody has written: `: “The giver meant the roof”`. */
function inQuotes(note: string | null): string | null {
  return note === null ? null : `: “${note}”`;
}

function PersonLink({ id, names }: { readonly id: number | null } & Pick<EventProps, 'names'>): VNode | null {
  return id === null ? null : <Link to={`/console/people/${id}`}>{names.get(id) ?? `person ${id}`}</Link>;
}
