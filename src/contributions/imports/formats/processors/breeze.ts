import { type Format, ignored } from '../format.js';

const IGNORED = ['Person ID', 'Batch', 'Batch Name', 'Is Archived', 'Envelope Number', 'Number of Funds'];
const READ_IF_THERE = ['Payment ID', 'Email', 'Phone', 'Address', 'Zip', 'Check Number', 'Note', 'Fee'];

/** A payment to several funds has a row for each. The export has no contacts unless they are chosen as columns. */
export const BREEZE: Format = {
  name: 'breeze',
  processor: 'Breeze',
  export: 'Giving, Reports, Download as spreadsheet, saved as CSV. Without contacts, add --without-contacts',
  basedOn:
    'port.church, "Giving import: Breeze" (Person ID, First Name, Last Name, Fund(s), Amount, Method, Date, Check Number). ' +
    'Payment ID is as of 2026.',
  mapping: {
    'Payment ID': 'TransactionId',
    Date: 'Date',
    'First Name': 'First',
    'Last Name': 'Last',
    Email: 'Email',
    Phone: 'Phone',
    Address: 'Address',
    Zip: 'Zip',
    'Fund(s)': 'FundName',
    Amount: 'Amount',
    Fee: 'Fee',
    Method: 'Method',
    'Check Number': 'CheckNumber',
    Note: 'Notes',
    ...ignored(...IGNORED),
    defaults: { Source: 'breeze', Phone: null },
    file: { amounts: '1,234.56' },
  },
  optional: [...IGNORED, ...READ_IF_THERE],
  otherNames: {
    ...{
      'Transaction ID': 'Payment ID',
      Fund: 'Fund(s)',
      'Method(s)': 'Method',
      'Paid On': 'Date',
      'Check #': 'Check Number',
    },
    ...{ 'First name': 'First Name', 'Street Address': 'Address', Notes: 'Note' },
  },
};
