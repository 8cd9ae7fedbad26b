import { fieldNamed, foldColumn } from '../files/field-names.js';
import { FORMATS } from '../formats/formats.js';

/** Names that exports have for a field, without spaces and punctuation. A whole name is the field "name". */
const NAMES: Readonly<Record<string, string>> = {
  First: 'first, firstname, fname, givenname, forename, donorfirstname, payerfirstname',
  Last: 'last, lastname, lname, surname, familyname, donorlastname, payerlastname',
  name: 'name, fullname, donor, donorname, giver, givername, customername, payer, payername, contributor, contributorname',
  Email: 'email, emailaddress, donoremail, payeremail, customeremail, fromemailaddress',
  Phone: 'phone, phonenumber, mobile, mobilenumber, mobilephone, cell, cellphone, donorphone, telephone, homephone',
  Amount: 'amount, gross, grossamount, giftamount, donationamount, paymentamount, total, totalamount',
  Date: 'date, giftdate, donationdate, transactiondate, paymentdate, receiveddate, receivedon, datereceived, created, createdat',
  Time: 'time',
  TimeZone: 'timezone',
  TransactionId:
    'id, transactionid, transactionnumber, transaction, txnid, paymentid, donationid, giftid, confirmationnumber',
  FundName: 'fund, funds, fundname, designation, givingtype, envelope, envelopename, account, category',
  Fee: 'fee, fees, processingfee, transactionfee',
  Currency: 'currency, currencycode',
  Method: 'method, paymentmethod, paymenttype, tender, tendertype',
  CheckNumber: 'check, checkno, checknumber, chequenumber',
  PayoutId: 'payoutid, depositid, transferid, settlementid',
  Address: 'address, addressline1, address1, street, streetaddress, mailingaddress',
  Zip: 'zip, zipcode, postalcode, postcode, zippostalcode',
  Notes: 'note, notes, memo, comment, comments, description',
  RefundedAmount: 'amountrefunded, refundedamount',
  DisputedAmount: 'disputedamount, amountdisputed',
};

const FIELD_OF_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([field, names]) => names.split(', ').map((name) => [name, field] as const)),
);

const NAMES_OF_FORMATS: ReadonlySet<string> = new Set(
  FORMATS.flatMap(({ mapping, otherNames }) => [...Object.keys(mapping), ...Object.keys(otherNames)]).map(foldColumn),
);

/** The field that a column probably is, by its name; `name` for a whole name. */
export function probableField(column: string): string | undefined {
  const known = FIELD_OF_NAME.get(compact(column));
  return known ?? fieldNamed(column);
}

/** Whether a name, folded, is that of a column in some export. */
export function isKnownColumn(name: string): boolean {
  return NAMES_OF_FORMATS.has(name) || probableField(name) !== undefined;
}

function compact(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
