import type { VNode } from 'preact';
import { Amount, Day, Moment } from '../../../../pages/index.js';
import type { PersonView } from '../../../../people/index.js';
import { METHODS_IN_WORDS } from '../../gift-pages/wording.js';
import { displayAmount, fromCents, storedAmount, toCents } from '../../../../values/index.js';
import { specialType } from '../../../ledger/index.js';
import type { ContributionView } from '../../contribution-view.js';
import type { AgreeingDetail } from '../compare-gifts.js';
import type { ReviewDetails } from '../review-details.js';
import { Comparison, type Side } from './comparison.js';

const PERSON_LABELS = ['First name', 'Last name', 'E-mail', 'Phone', 'Address', 'Deceased', 'Merged from'] as const;
/** The details of a person that agree with the giver as sent. */
const LABEL_OF_EVIDENCE: Readonly<Record<string, string>> = {
  ...{ firstName: 'First name', shortForm: 'First name', lastName: 'Last name', email: 'E-mail', phone: 'Phone' },
  address: 'Address',
};

/** The giver as sent, the person who has the gift, and the others that the reasons name. */
export function Persons({ review }: { readonly review: ReviewDetails }): VNode {
  const { gift, giver, others } = review;
  const sent = gift.giver;
  return (
    <Comparison
      caption="Who gave it?"
      labels={PERSON_LABELS}
      compared={Object.values(LABEL_OF_EVIDENCE)}
      sides={[
        {
          heading: 'As sent with the gift',
          page: [`/console/gifts/${gift.contributionId}`, `Open gift ${gift.contributionId}`],
          agrees: [],
          details:
            sent === null
              ? {}
              : {
                  'First name': sent.first,
                  'Last name': sent.last,
                  'E-mail': sent.email,
                  Phone: sent.phone,
                  Address: addressOf(sent),
                },
        },
        personSide(giver, 'who has the gift'),
        ...others.map((other) => personSide(other, 'who may be meant')),
      ]}
    />
  );
}

function personSide({ person, agrees }: ReviewDetails['giver'], role: string): Side {
  return {
    heading: `${nameOf(person)}, ${role}`,
    page: [`/console/people/${person.peopleId}`, `Open ${nameOf(person)}`],
    agrees: agrees.map((evidence) => LABEL_OF_EVIDENCE[evidence] ?? evidence),
    details: {
      'First name': [person.first, person.nickname === null ? '' : ` (${person.nickname})`].join(''),
      'Last name': [person.last, person.formerLast === null ? '' : ` (formerly ${person.formerLast})`].join(''),
      'E-mail': contactsOf(person, 'email'),
      Phone: contactsOf(person, 'phone'),
      Address: addressOf(person),
      Deceased: person.deceased ? 'Yes' : '',
      'Merged from': person.mergedFrom.join(', '),
    },
  };
}

/** "John Appleseed, person 152": two persons may have the same name. */
export function nameOf({ first, last, peopleId }: Pick<PersonView, 'first' | 'last' | 'peopleId'>): string {
  return `${first} ${last}, person ${peopleId}`;
}

function contactsOf({ contacts }: PersonView, kind: 'email' | 'phone'): string {
  return contacts
    .filter((contact) => contact.kind === kind)
    .map(({ value, confirmed }) => (confirmed ? value : `${value} (not confirmed)`))
    .join(', ');
}

function addressOf({ address, zip }: { readonly address: string | null; readonly zip: string | null }): string {
  return [address, zip].filter((part) => part !== null && part !== '').join(', ');
}

const LABEL_OF_DETAIL: Readonly<Record<AgreeingDetail, string>> = {
  amount: 'Amount',
  day: 'Day',
  fund: 'Fund',
  source: 'Source',
  method: 'Method',
  checkNumber: 'Check number',
  lastName: 'Last name',
  firstName: 'First name',
  email: 'E-mail',
  phone: 'Phone',
};

const GIFT_LABELS = [
  ...['Amount', 'Type', 'Left', 'Day', 'Recorded', 'Fund', 'Source', 'Transaction id', 'Method', 'Check number'],
  ...['First name', 'Last name', 'E-mail', 'Phone', 'Notes'],
];

/** The gift, and those that may be the same. */
export function Gifts({
  review,
  fundNames,
}: {
  readonly review: ReviewDetails;
  readonly fundNames: ReadonlyMap<number, string>;
}): VNode {
  const { gift, fundNow, similarGifts } = review;
  return (
    <Comparison
      caption={similarGifts.length === 0 ? 'The gift' : 'Is it the same gift?'}
      labels={GIFT_LABELS}
      compared={Object.values(LABEL_OF_DETAIL)}
      sides={[
        giftSide({ gift, fundNow, agrees: [] }, 'This gift', fundNames),
        ...similarGifts.map((similar) => giftSide(similar, 'Recorded before', fundNames)),
      ]}
    />
  );
}

type ComparedGift = ReviewDetails['similarGifts'][number];

function giftSide({ gift, fundNow, agrees }: ComparedGift, role: string, fundNames: ReadonlyMap<number, string>): Side {
  const { contributionId, currency, payment, giver } = gift;
  return {
    heading: `${role}, number ${contributionId}`,
    page: [`/console/gifts/${contributionId}`, `Open gift ${contributionId}`],
    agrees: agrees.map((detail) => LABEL_OF_DETAIL[detail]),
    details: {
      Amount: <Amount value={gift.amount} currency={currency} />,
      Type: specialType(gift.contributionTypeId),
      Left: /[1-9]/.test(gift.reversedAmount) && <Amount value={leftOf(gift)} currency={currency} />,
      Day: <Day value={gift.day} />,
      Recorded: <Moment value={new Date(gift.createdAt)} />,
      Fund: [...new Set([gift.fundId, fundNow])].map((id) => fundNames.get(id)).join(', now in '),
      Source: gift.source,
      'Transaction id': gift.transactionId,
      Method: payment.method === null ? undefined : METHODS_IN_WORDS[payment.method],
      'Check number': payment.checkNumber,
      'First name': giver?.first,
      'Last name': giver?.last,
      'E-mail': giver?.email,
      Phone: giver?.phone,
      Notes: gift.notes,
    },
  };
}

function leftOf({ amount, reversedAmount, currency }: ContributionView): string {
  return displayAmount(fromCents(toCents(storedAmount(amount)) - toCents(storedAmount(reversedAmount))), currency);
}
