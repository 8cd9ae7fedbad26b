import type { VNode } from 'preact';
import { Amount, type Column, Day, Link, Table } from '../../pages/index.js';
import { specialType } from '../ledger/index.js';
import type { ContributionView } from './contribution-view.js';
import { methodInWords } from './gift-pages/wording.js';

interface EntryTableProps {
  readonly caption: string;
  readonly entries: readonly ContributionView[];
  /** The names of their funds, by FundId. */
  readonly funds: ReadonlyMap<number, string>;
  /** The names of their persons, by PeopleId. */
  readonly names: ReadonlyMap<number, string>;
}

/** Entries of the books: gifts, and what takes them back or moves them. */
export function EntryTable({ caption, entries, funds, names }: EntryTableProps): VNode {
  const columns: readonly Column<ContributionView>[] = [
    {
      header: 'Entry',
      cell: ({ contributionId }) => <Link to={`/console/gifts/${contributionId}`}>{contributionId}</Link>,
    },
    { header: 'Day', cell: ({ day }) => <Day value={day} /> },
    { header: 'Giver', cell: (entry) => <Giver entry={entry} name={names.get(entry.peopleId)} /> },
    { header: 'Fund', cell: ({ fundId }) => funds.get(fundId) },
    { header: 'What', cell: whatItIs },
    { header: 'Method', cell: ({ payment }) => methodInWords(payment) },
    { header: 'Amount', align: 'right', cell: ({ amount, currency }) => <Amount value={amount} currency={currency} /> },
  ];
  return (
    <Table
      caption={caption}
      rows={entries}
      keyOf={({ contributionId }) => contributionId}
      empty="It is empty."
      columns={columns}
    />
  );
}

/** The person's name now, and the name as sent if it is another. */
function Giver({ entry, name }: { readonly entry: ContributionView; readonly name: string | undefined }): VNode {
  const { peopleId, giver } = entry;
  const sent = giver === null ? name : `${giver.first} ${giver.last}`;
  return (
    <span>
      <Link to={`/console/people/${peopleId}`}>{name ?? `Person ${peopleId}`}</Link>
      {sent !== name && <small class="aside">sent as {sent}</small>}
    </span>
  );
}

function whatItIs({ reverses, moves, reinstates, status, contributionTypeId }: ContributionView): string {
  if (reverses !== null) return `Takes back ${reverses}`;
  if (moves !== null) return `Moves ${moves} to another fund`;
  if (reinstates !== null) return `Undoes reversal ${reinstates}`;
  return status === 'Reversed' ? 'Taken back' : (specialType(contributionTypeId) ?? 'Gift');
}
