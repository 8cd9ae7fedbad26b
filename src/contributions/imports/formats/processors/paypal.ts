import { type Format, ignored } from '../format.js';

const IGNORED = ['Net', 'Balance', 'Balance Impact', 'Address Status', 'Shipping and Handling Amount', 'Sales Tax'];
const READ_IF_THERE = ['Contact Phone Number', 'Address Line 1', 'Zip/Postal Code', 'Note'];

/** Payments received. Other types, such as withdrawals, holds and currency conversions, are left out. */
const GIFTS = [
  ...['Donation Payment', 'General Payment', 'Website Payment', 'Subscription Payment', 'Recurring Payment'],
  ...['Express Checkout Payment', 'Mobile Payment', 'Web Accept Payment Received', 'Donation Received'],
  ...['Payment Received', 'Recurring Payment Received', 'Subscription Payment Received', 'PayPal Here Payment'],
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
    defaults: { Source: 'paypal', Phone: null, Method: 'wallet' },
    file: { amounts: '1,234.56' },
  },
  optional: [...IGNORED, ...READ_IF_THERE],
  otherNames: { 'Time Zone': 'TimeZone', Description: 'Type', 'Sender Email': 'From Email Address' },
};
