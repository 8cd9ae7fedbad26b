import { type Format, ignored } from '../format.js';

const IGNORED = ['Net Amount', 'Transaction Type', 'Return Code', 'Return Reason', 'Frequency'];
const READ_IF_THERE = ['Email', 'Phone', 'Address', 'Zip', 'Fee', 'Deposit ID', 'Payment Method', 'Note'];

/** The name is one column, the last name first. */
export const VANCO: Format = {
  name: 'vanco',
  processor: 'Vanco',
  export: 'MyVanco, Reports, Transactions (detail), Export to CSV',
  basedOn:
    'Vanco support, "Reports in MyVanco", which names the content but not the columns. The names are those of the report ' +
    'as of 2026.',
  mapping: {
    'Transaction ID': 'TransactionId',
    'Transaction Date': 'Date',
    'Customer Name': { name: 'Last, First' },
    Email: 'Email',
    Phone: 'Phone',
    Address: 'Address',
    Zip: 'Zip',
    'Fund Name': 'FundName',
    Amount: 'Amount',
    Fee: 'Fee',
    'Payment Method': 'Method',
    'Deposit ID': 'PayoutId',
    Note: 'Notes',
    ...ignored(...IGNORED),
    only: { Status: ['Approved', 'Settled', 'Processed', 'Deposited', 'Completed'] },
    refunds: { Status: ['Refunded', 'Returned', 'Reversed', 'Charged back'] },
    leaveOut: {
      Status: ['Declined', 'Failed', 'Error', 'Pending', 'Processing', 'Scheduled', 'Canceled', 'Cancelled', 'Voided'],
    },
    defaults: { Source: 'vanco', Phone: null },
    file: { dates: 'M/D/Y', amounts: '1,234.56' },
  },
  optional: [...IGNORED, ...READ_IF_THERE],
  otherNames: {
    ...{
      'Payment Date': 'Transaction Date',
      'Process Date': 'Transaction Date',
      Name: 'Customer Name',
      Fund: 'Fund Name',
    },
    ...{ 'Reference Number': 'Transaction ID', 'Email Address': 'Email', 'Phone Number': 'Phone', 'Zip Code': 'Zip' },
    ...{ 'Payment Type': 'Payment Method', 'Transaction Status': 'Status', Memo: 'Note' },
  },
};
