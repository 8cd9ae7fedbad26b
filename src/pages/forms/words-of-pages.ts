/** What the API calls its fields, and what pages call them. */
const FIELDS: Readonly<Record<string, string>> = {
  PeopleId: 'person number',
  FromPeopleId: 'number of the present person',
  Into: 'person who stays',
  ContributionId: 'gift number',
  FundId: 'fund number',
  FromFundId: 'present fund',
  FundName: 'name of the fund',
  BundleTypeId: 'kind of bundle',
  ContributionTypeId: 'type of gift',
  TransactionId: 'transaction id',
  DepositId: 'payout',
  PayoutId: 'payout',
  RefundId: 'refund id',
  CheckNumber: 'check number',
  Left: 'amount that is left',
  Version: 'state of the record',
  IntoVersion: 'state of the record that stays',
  SecretVersion: 'state of the secret',
  Reasons: 'reasons of the review',
  minAmount: 'lowest amount',
  maxAmount: 'highest amount',
  after: 'position in the list',
  before: 'position in the list',
};

/** What the API's messages say, and what pages say. A page speaks of gifts that are taken back. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bContribution(?= \d)/g, 'Gift'],
  [/\bcontribution(?= \d)/g, 'gift'],
  [/\b(person|fund) with (?:PeopleId|FundId) (?=\d)/g, '$1 '],
  [/\b(?:delivery|deliveries) (?=\d)/g, 'notice '],
  [/^(Only .* is left of .*)\. Nothing was reversed\.$/g, '$1. Nothing was taken back.'],
  [/\bwas already reversed at \S+Z by\b/g, 'was taken back already, by'],
  [/^Nothing that was reversed of (gift \d+) is left to reinstate\.$/g, 'No reversal of $1 is left to undo.'],
  [/^(must be more than zero): it is the amount to take back$/g, '$1'],
  [/: reassign that one\.$/g, ': change the giver of that one.'],
  [/^must be a day as YYYY-MM-DD$/g, 'must be a day, such as 2026-07-31'],
  [/^must not be before from$/g, 'must not be before the first day'],
];

/** Names of fields whose spelling no ordinary word has. */
const COMPOUND = new RegExp(
  `\\b(?:${Object.keys(FIELDS)
    .filter((name) => /[a-z][A-Z]/.test(name))
    .join('|')})\\b`,
  'g',
);

/** Messages that speak of headers or fields of a call, in words for people. By error code. */
const MESSAGES: Readonly<Record<string, string>> = {
  idempotency_key_reused:
    'This form has done its work before, with other fields. Nothing was done now. If you mean it, press the button again.',
  request_in_progress: 'This form is being worked on already. Reload the page in a moment.',
};

/** A message of the API in the words of pages. @param code of its error; undefined for the fault of a field. */
export function inWordsOfPages(message: string, code?: string): string {
  const own = code === undefined ? undefined : MESSAGES[code];
  if (own !== undefined) return own;
  const text = WORDS.reduce((so, [word, inPage]) => so.replaceAll(word, inPage), message);
  return text.replaceAll(COMPOUND, (name) => `the ${FIELDS[name] ?? name}`);
}

/** The name of a field that has no label, at the beginning of a sentence: "PeopleId" is "Person number". */
export function fieldInWords(name: string): string {
  const words = FIELDS[name] ?? name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
