import { type Format, ignored } from '../format.js';

const IGNORED = ['Net', 'Balance', 'Balance Impact', 'Address Status', 'Shipping and Handling Amount', 'Sales Tax'];
const READ_IF_THERE = ['Contact Phone Number', 'Address Line 1', 'Zip/Postal Code', 'Note'];

/** Payments received. */
const GIFTS = [
  ...['Donation Payment', 'General Payment', 'Website Payment', 'Subscription Payment', 'Recurring Payment'],
  ...['Express Checkout Payment', 'Mobile Payment', 'Web Accept Payment Received', 'Donation Received'],
  ...['Payment Received', 'Recurring Payment Received', 'Subscription Payment Received', 'PayPal Here Payment'],
];

/** Money that moves, but is neither a gift nor a refund of one. */
const NO_GIFTS = [
  ...['General Withdrawal', 'General Withdrawal - Bank Account', 'User Initiated Withdrawal'],
  ...['Withdraw Funds to Bank Account', 'Bank Deposit to PP Account', 'General Credit Card Deposit'],
  ...['General Credit Card Withdrawal', 'General Currency Conversion', 'User Initiated Currency Conversion'],
  ...['Currency Conversion', 'Fee', 'Payment Fee', 'Chargeback Fee', 'Dispute Fee', 'Partner Fee', 'General Hold'],
  ...['Account Hold for Open Authorization', 'General Hold Release', 'Payment Hold', 'Payment Release'],
  ...['Hold on Balance for Dispute Investigation', 'Cancellation of Hold for Dispute Resolution'],
  ...['Reversal of General Account Hold', 'General Authorization', 'Authorization', 'Void of Authorization', 'Order'],
  ...['Invoice Sent', 'Request Sent'],
];
/** Payments that brought no money, or none yet. */
const NOT_COMPLETED = [
  ...[
    'Pending',
    'Denied',
    'Failed',
    'Canceled',
    'Cancelled',
    'Expired',
    'Processing',
    'Created',
    'Unclaimed',
    'Returned',
  ],
  ...[
    'Voided',
    'Removed',
    'Unpaid',
    'Uncleared',
    'Placed',
    'Held',
    'On Hold',
    'Temporary Hold',
    'Active',
    'In Progress',
  ],
];

/** Each refund is a row with an id of its own, which names the payment as "Reference Txn ID". */
export const PAYPAL: Format = {
  name: 'paypal',
  processor: 'PayPal',
  export: 'Activity, Download, CSV: completed payments or all transactions, with the field Reference Txn ID',
  basedOn:
    'PayPal, "Activity Download Report" (specification 3.0 and its page on developer.paypal.com). The order of dates is ' +
    'that of the account: the setting CHURCH_SLASH_DATES, or "dates" of a mapping.',
  mapping: {
    Date: 'Date',
    Time: 'Time',
    TimeZone: 'TimeZone',
    Name: { name: 'First Last' },
    Currency: 'Currency',
    Gross: 'Amount',
    Fee: 'Fee',
    'From Email Address': 'Email',
    'Transaction ID': 'TransactionId',
    'Reference Txn ID': 'RefundOf',
    'Contact Phone Number': 'Phone',
    'Address Line 1': 'Address',
    'Zip/Postal Code': 'Zip',
    Note: 'Notes',
    ...ignored(...IGNORED),
    only: { Type: GIFTS, Status: ['Completed', 'Refunded', 'Partially Refunded', 'Reversed'] },
    refunds: { Type: ['Payment Refund', 'Refund', 'Payment Reversal', 'Chargeback'] },
    leaveOut: { Type: NO_GIFTS, Status: NOT_COMPLETED },
    defaults: { Source: 'paypal', Phone: null, Method: 'wallet' },
    file: { amounts: '1,234.56' },
  },
  optional: [...IGNORED, ...READ_IF_THERE],
  otherNames: { 'Time Zone': 'TimeZone', Description: 'Type', 'Sender Email': 'From Email Address' },
};
