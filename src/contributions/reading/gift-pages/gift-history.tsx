import type { ComponentChildren, VNode } from 'preact';
import { Amount, type Column, EmptyState, Link, Moment, Table } from '../../../pages/index.js';
import type { ContributionView } from '../contribution-view.js';
import type { HistoryEvent } from '../contribution-history.service.js';
import type { GiftDetails } from './read-gift.service.js';
import { reasonInWords } from './wording.js';

/** What was taken back of the payment, and the way to give it back. */
export function Reversals({ gift, reversals, mayChange }: GiftDetails & { readonly mayChange: boolean }): VNode | null {
  if (reversals.length === 0) return null;
  const columns: readonly Column<ContributionView>[] = [
    { header: 'When', cell: ({ createdAt }) => <Moment value={new Date(createdAt)} /> },
    { header: 'Amount', align: 'right', cell: ({ amount, currency }) => <Amount value={amount} currency={currency} /> },
    {
      header: 'Why',
      cell: ({ reason, notes }) =>
        [reason === null ? 'No reason was sent' : reasonInWords(reason), notes].filter(Boolean).join('. '),
    },
    { header: 'By', cell: ({ createdBy }) => createdBy },
    { header: 'Refund id', cell: ({ refundId }) => refundId ?? '' },
    {
      header: 'Given back',
      cell: (entry) => <GivenBack gift={gift} entry={entry} mayChange={mayChange} />,
    },
  ];
  return (
    <section aria-labelledby="reversals">
      <h2 id="reversals">Taken back</h2>
      <Table
        caption="What was taken back"
        rows={reversals}
        keyOf={({ contributionId }) => contributionId}
        columns={columns}
        empty=""
      />
    </section>
  );
}

interface GivenBackProps {
  readonly gift: ContributionView;
  readonly entry: ContributionView;
  readonly mayChange: boolean;
}

function GivenBack({ gift, entry, mayChange }: GivenBackProps): VNode {
  if (entry.reinstatedBy !== null) {
    return <Link to={`/console/gifts/${entry.reinstatedBy}`}>As gift {entry.reinstatedBy}</Link>;
  }
  if (!mayChange) return <span>No</span>;
  return (
    <Link to={`/console/gifts/${gift.contributionId}/reinstate/${entry.contributionId}`}>
      Give back<span class="unseen"> entry {entry.contributionId}</span>
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
    'Given to ',
    <PersonLink id={to} names={names} />,
    ', before that to ',
    <PersonLink id={from} names={names} />,
  ],
  merged: ({ from, to, names }) => [
    'Moved to ',
    <PersonLink id={to} names={names} />,
    ' by a merge with ',
    <PersonLink id={from} names={names} />,
  ],
  reversed: ({ reason }, money) => [money, ' taken back', reason !== null && ` (${reason})`],
  reinstated: (_event, money) => [money, ' given back'],
  'moved to another fund': ({ fromFund, toFund, fundName }, money) => [
    money,
    ` moved from ${fundName(fromFund)} to ${fundName(toFund)}`,
  ],
  'review accepted': () => 'Checked: right as it is',
  'review closed': () => 'No longer to check',
};

function PersonLink({ id, names }: { readonly id: number | null } & Pick<EventProps, 'names'>): VNode | null {
  return id === null ? null : <Link to={`/console/people/${id}`}>{names.get(id) ?? `person ${id}`}</Link>;
}
