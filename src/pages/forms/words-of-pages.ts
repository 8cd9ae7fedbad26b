/** What the API's messages call things, and what pages call them. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bContribution(?= \d)/g, 'Gift'],
  [/\bcontribution(?= \d)/g, 'gift'],
  [/\b(person|fund) with (?:PeopleId|FundId) (?=\d)/g, '$1 '],
  [/\bminAmount\b/g, 'the lowest amount'],
];

/** Messages that speak of headers or fields of a call, in words for people. By error code. */
const MESSAGES: Readonly<Record<string, string>> = {
  idempotency_key_reused:
    'This form has done its work before, with other fields. Nothing was done now. If you mean it, press the button again.',
  request_in_progress: 'This form is being worked on already. Reload the page in a moment.',
};

/** A message of the API in the words of pages. @param code of its error; undefined for the fault of a field. */
export function inWordsOfPages(message: string, code?: string): string {
  const own = code === undefined ? undefined : MESSAGES[code];
  return own ?? WORDS.reduce((text, [word, inPage]) => text.replaceAll(word, inPage), message);
}
