import { type Format, ignored } from '../format.js';

const IGNORED = [
  ...['Converted Amount', 'Converted Amount Refunded', 'Converted Currency', 'Decline Reason', 'Refunded date (UTC)'],
  ...['Dispute Reason', 'Dispute Date (UTC)', 'Dispute Evidence Due (UTC)', 'Payment Source Type'],
  ...['Card CVC Status', 'Card AVS Zip Status', 'Card AVS Line1 Status', 'Taxes On Fee', 'Tax', 'Transfer Date (UTC)'],
];
/** Statuses of payments that brought no money, or none yet: those of the dashboard, and those of payment intents. */
const NOT_PAID = [
  ...['Failed', 'Pending', 'Processing', 'Canceled', 'Cancelled', 'Incomplete', 'Uncaptured', 'Blocked', 'Expired'],
  ...['requires_payment_method', 'requires_confirmation', 'requires_action', 'requires_capture'],
];
const CONDITIONS = ['Captured', 'Mode', 'Dispute Status'];
const READ_IF_THERE = [
  'Customer Phone',
  'Card Address Line1',
  'Card Address Zip',
  'Description',
  'Fee',
  'Transfer',
  'Disputed Amount',
];

/**
 * A charge is one row. Its refunds are a column of the same row, and so is the amount of a dispute. We assume that "Amount
 * Refunded" does not contain that amount: Stripe's public pages do not say. The statuses of disputes are those of Stripe's API. A dispute that was "prevented" is refused, because no
 * documentation says whether its refund is in "Amount Refunded".
 */
export const STRIPE: Format = {
  name: 'stripe',
  processor: 'Stripe',
  export: 'Dashboard, Payments, Export, all columns (payments.csv)',
  basedOn:
    'Stripe support, "Exporting payment reports", and headers of such files in public repositories. Times are UTC.',
  mapping: {
    id: 'TransactionId',
    'Created date (UTC)': 'Date',
    Amount: 'Amount',
    'Amount Refunded': 'RefundedAmount',
    'Disputed Amount': 'DisputedAmount',
    Currency: 'Currency',
    Fee: 'Fee',
    Description: 'Notes',
    'Customer Email': 'Email',
    'Customer Phone': 'Phone',
    'Card Name': { name: 'First Last' },
    'Card Address Line1': 'Address',
    'Card Address Zip': 'Zip',
    Transfer: 'PayoutId',
    ...ignored(...IGNORED),
    only: {
      Status: ['Paid', 'Succeeded', 'Refunded', 'Partially refunded', 'Partial Refund'],
      Captured: ['true'],
      Mode: ['Live', ''],
      // An inquiry ("warning") takes no money. A dispute does, until it is won.
      'Dispute Status': ['', 'won', 'warning_needs_response', 'warning_under_review', 'warning_closed'],
    },
    leaveOut: {
      Status: NOT_PAID,
      Captured: ['false'],
      Mode: ['Test'],
      'Dispute Status': ['needs_response', 'under_review'],
    },
    lost: { 'Dispute Status': ['lost'] },
    defaults: { Source: 'stripe', Phone: null },
    file: { dates: 'Y-M-D', zone: 'UTC', amounts: '1,234.56' },
  },
  optional: [...IGNORED, ...CONDITIONS, ...READ_IF_THERE],
  otherNames: { 'Created (UTC)': 'Created date (UTC)', 'Customer Name': 'Card Name' },
};
