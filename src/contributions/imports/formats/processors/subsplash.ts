import { type Format, ignored } from '../format.js';

const IGNORED = ['Donor ID', 'Net amount', 'Transaction type', 'Payout status', 'Refunded at'];
const READ_IF_THERE = [
  ...['Transaction ID', 'Email', 'Phone', 'Address', 'Zip', 'Fee', 'Check number', 'Payout ID', 'Memo', 'Currency'],
];

export const SUBSPLASH: Format = {
  name: 'subsplash',
  processor: 'Subsplash Giving',
  export: 'Giving, Transactions, Export CSV',
  basedOn:
    'port.church, "Giving import: Subsplash" (Donor ID, First name, Last name, email, fund, Gross amount, Payment method, ' +
    'Transaction date, Check number, status, fee). Transaction ID and Payout ID are as of 2026.',
  mapping: {
    'Transaction ID': 'TransactionId',
    'Transaction date': 'Date',
    'First name': 'First',
    'Last name': 'Last',
    Email: 'Email',
    Phone: 'Phone',
    Address: 'Address',
    Zip: 'Zip',
    Fund: 'FundName',
    'Gross amount': 'Amount',
    Fee: 'Fee',
    Currency: 'Currency',
    'Payment method': 'Method',
    'Check number': 'CheckNumber',
    'Payout ID': 'PayoutId',
    Memo: 'Notes',
    ...ignored(...IGNORED),
    // As on its help page "Gifts": a gift is pending, then transfer pending, then paid.
    only: { Status: ['Succeeded', 'Success', 'Completed', 'Transfer pending', 'Paid', 'Settled'] },
    refunds: { Status: ['Refunded', 'Disputed', 'Charged back'] },
    leaveOut: { Status: ['Failed', 'Pending', 'Processing', 'Declined', 'Canceled', 'Cancelled', 'Voided'] },
    defaults: { Source: 'subsplash', Phone: null },
    file: { amounts: '1,234.56' },
  },
  optional: [...IGNORED, ...READ_IF_THERE],
  otherNames: { 'Transaction status': 'Status', 'Transfer ID': 'Payout ID', Note: 'Memo', 'Email address': 'Email' },
};
