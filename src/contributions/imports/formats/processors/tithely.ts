import { type Format, ignored } from '../format.js';

const IGNORED = ['Net', 'Net Amount', 'Card Type', 'Type', 'Deposit Status', 'Recurring'];
const READ_IF_THERE = ['Phone', 'Address', 'Zip', 'Fee', 'Deposit ID', 'Memo', 'Payment Method'];

/** A gift to several giving types has a row for each. The statuses are those of "Transaction Statuses" of Tithely's help. */
export const TITHELY: Format = {
  name: 'tithely',
  processor: 'Tithely',
  export: 'Giving, Transactions, Download CSV (formerly "Export File")',
  basedOn:
    'Tithely, "Tithe.ly Giving Glossary" and "Bank Deposit Reports", which name the content but not the columns. The names ' +
    'are those of its transactions page as of 2026.',
  mapping: {
    'Transaction ID': 'TransactionId',
    Date: 'Date',
    'First Name': 'First',
    'Last Name': 'Last',
    Email: 'Email',
    Phone: 'Phone',
    Address: 'Address',
    Zip: 'Zip',
    'Giving Type': 'FundName',
    Amount: 'Amount',
    Fee: 'Fee',
    'Payment Method': 'Method',
    'Deposit ID': 'PayoutId',
    Memo: 'Notes',
    ...ignored(...IGNORED),
    only: { Status: ['Succeeded', 'Success', 'Completed', 'Complete', 'Deposited', 'Paid', 'Dispute Won'] },
    refunds: { Status: ['Refunded', 'Refund', 'Charged back', 'Chargeback', 'Returned', 'Dispute Lost'] },
    leaveOut: {
      Status: [
        ...['Failed', 'Pending', 'Processing', 'Requires Action', 'Voided', 'Dispute Pending'],
        ...['Declined', 'Canceled', 'Cancelled'],
      ],
    },
    defaults: { Source: 'tithely', Phone: null },
    file: { amounts: '1,234.56' },
  },
  optional: [...IGNORED, ...READ_IF_THERE],
  otherNames: {
    ...{ 'Transaction Date': 'Date', 'Phone Number': 'Phone', 'Zip Code': 'Zip', Fees: 'Fee', Fund: 'Giving Type' },
    ...{ 'Email Address': 'Email', 'Payment Type': 'Payment Method', 'Payout ID': 'Deposit ID' },
  },
};
