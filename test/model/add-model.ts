import { DateTime } from 'luxon';
import { type Doubts, doubtsAboutMatch, doubtsAboutNew } from './doubts-model.js';
import { answerOf, done, type Expected, refused, type Results, resultsOf, type Seen } from './answers.js';
import { alreadyReversed, type Books, type SentTransaction } from './books.js';
import { type MatchView, NEW_ID } from './entry.js';
import { splitsOf } from './ledger-model.js';
import type { AddBatch, AddGift, GiftRequest, Split } from './operation.js';
import { idOf, leftOfPayment, sum } from './payment-model.js';
import type { PeopleModel, Person } from './people-model.js';

const MOST_SPLITS = 20;
const LONGEST_CHECK_NUMBER = 20;

/** A gift and who sends it. */
type SentGift = Pick<AddGift, 'request' | 'user'>;

/** AddContribution: changes the books and returns the expected answer. */
export function addGift(books: Books, operation: AddGift, seen: Seen): Expected {
  const { request } = operation;
  return addIfValid(books, operation, () =>
    operation.dryRun
      ? preview(books, operation)
      : books.keys.once(operation, contentOf(request), () => addUnlessRecorded(books, operation, seen)),
  );
}

/** AddContributions: as if each gift were sent alone, in this order. */
export function addBatch(books: Books, { requests, user }: AddBatch, seen: Seen): Expected | Results {
  if (requests.some(({ source, transactionId }) => source === undefined || transactionId === undefined)) {
    return { codes: ['invalid_request'], fields: ['Gifts'] };
  }
  const found = resultsOf(seen.answer.body);
  const results = requests.map((request, index) => {
    const own = { ...seen, answer: answerOf(found[index]) };
    return addIfValid(books, { request, user }, () => addUnlessRecorded(books, { request, user }, own));
  });
  return { results };
}

function addIfValid(books: Books, { request }: SentGift, add: () => Expected): Expected {
  const fields = invalidFieldsOf(request);
  if (fields.length > 0) return { codes: ['invalid_request'], fields };
  const answer = add();
  // The service may report invalid ids before a reused key or invalid Splits, instead of which it may read the whole gift.
  const ofIds = [request, { ...request, splits: undefined }].flatMap((one) => books.ledger.faultsOf(one));
  return 'codes' in answer ? { ...answer, codes: [...answer.codes, ...ofIds] } : answer;
}

/** The invalid fields of a gift that every release has refused, with all other invalid fields. */
function invalidFieldsOf(request: GiftRequest): string[] {
  const fields = [
    ...(request.cents > 0 ? [] : ['Amount']),
    ...(request.transactionId !== undefined && request.source === undefined ? ['Source'] : []),
  ];
  return fields.length === 0 ? [] : [...fields, ...unreadableFieldsOf(request)];
}

/** Invalid fields that releases before payments ignored: a repeated call with them gets its first answer. */
function unreadableFieldsOf({ method, checkNumber = '', splits }: GiftRequest): string[] {
  const isList = splits === undefined || (splits.length >= 1 && splits.length <= MOST_SPLITS);
  return [
    ...(method === 'cheque' ? ['Method'] : []),
    ...(checkNumber.length > LONGEST_CHECK_NUMBER ? ['CheckNumber'] : []),
    ...(isList && splits?.some(({ cents }) => cents <= 0) !== true ? [] : ['Splits']),
  ];
}

/** The fields of a payment that are invalid by themselves or do not fit each other. */
function invalidPaymentFieldsOf(request: GiftRequest): string[] {
  const { cents, feeCents = 0, payoutId, source, splits, fundId, fundName } = request;
  return [
    ...unreadableFieldsOf(request),
    ...(feeCents > cents ? ['Fee'] : []),
    ...(payoutId !== undefined && source === undefined ? ['Source'] : []),
    ...(splits !== undefined && (fundId ?? fundName) !== undefined ? ['Splits'] : []),
    ...(splits !== undefined && sum(splits) !== cents ? ['Splits'] : []),
  ];
}

function addUnlessRecorded(books: Books, sent: SentGift, seen: Seen): Expected {
  const earlier = books.transactions.get(pairOf(sent));
  if (earlier !== undefined) return refusalOfSecond(earlier, sent) ?? { body: earlier.answer, replayed: true };
  const { request, user: by } = sent;
  const found = find(books, request);
  if ('codes' in found) return found;
  const made = seen.created.take(splitsOf(request).length);
  if (made === undefined) return done('a recorded gift');
  const person = found.person ?? create(books.people, Number(seen.answer.body['PeopleId']), request);
  if (found.match.by === 'match') books.people.noteContacts(person, request.giver);
  const { match } = found;
  // All parts have the date and the day of the first.
  const date = given(books, request, made[0].date);
  const parts = made.map((part) => ({ ...part, ...date }));
  const payment = books.ledger.addPayment({ request, by }, { personId: person.id, match }, parts);
  for (const part of payment.entries) books.reviews.list(part, found.doubts);
  const answer = {
    PeopleId: person.id,
    ContributionId: idOf(payment),
    NewPerson: match.by === 'created',
    MultipleMatches: match.otherCandidates.length > 0,
    Source: request.source ?? null,
  };
  if (request.transactionId !== undefined) books.transactions.set(pairOf(sent), { request, payment, answer });
  return done(answer);
}

/** The answer of PreviewContribution. It depends on earlier transactions, but not on keys. */
function preview(books: Books, operation: AddGift): Expected {
  const earlier = books.transactions.get(pairOf(operation));
  if (earlier !== undefined) {
    const { PeopleId: peopleId } = earlier.answer;
    return refusalOfSecond(earlier, operation) ?? done({ wouldCreate: false, peopleId, matchedOn: [], candidates: [] });
  }
  const found = find(books, operation.request);
  if ('codes' in found) return found;
  const { person, match } = found;
  // A processor learns only about the persons of its own gifts.
  const knows = (id: number | undefined): boolean => id !== undefined && books.ledger.hasGift(id, operation.user);
  return done({
    wouldCreate: person === undefined,
    peopleId: knows(person?.id) ? person?.id : null,
    matchedOn: knows(person?.id) ? match.on : [],
    candidates: match.by === 'match' ? [person?.id, ...match.otherCandidates].filter(knows) : [],
  });
}

/** The refusal of a used pair of Source and TransactionId; undefined if the gift is the same and something is left. */
function refusalOfSecond({ request, payment }: SentTransaction, second: SentGift): Expected | undefined {
  if (contentOf(request) !== contentOf(second.request)) return refused('transaction_id_reused');
  return leftOfPayment(payment) === 0 ? alreadyReversed(payment) : undefined;
}

/** Two requests are the same if their contents are equal. */
function contentOf(request: GiftRequest): string {
  return JSON.stringify(request);
}

/** The key of a gift with a TransactionId; 'none' for other gifts. */
function pairOf({ user, request: { source, transactionId } }: SentGift): string {
  return transactionId === undefined ? 'none' : JSON.stringify([user, source, transactionId]);
}

/** The person of a gift; undefined if a new person is created. */
interface Found {
  readonly person: Person | undefined;
  readonly match: MatchView;
  readonly doubts: Doubts;
}

/** The person of a gift, or all errors of the gift, including its payment and its currency. */
function find({ people, ledger }: Books, request: GiftRequest): Found | ReturnType<typeof refused> {
  const fields = invalidPaymentFieldsOf(request);
  if (fields.length === 0 && splitsOf(request).some(namesTwoFunds)) fields.push('FundName');
  const found = request.peopleId === undefined ? findByDetails(people, request) : findById(people, request);
  const ofCurrency = request.currency === 'EUR' ? ['currency_mismatch'] : [];
  const ofFields = fields.length > 0 ? ['invalid_request'] : [];
  const ofPerson = typeof found === 'string' ? [found] : [];
  const codes = [...ofFields, ...ofPerson, ...ofCurrency, ...ledger.faultsOf(request)];
  return typeof found === 'string' || codes.length > 0 ? { ...refused(...codes), fields } : found;
}

function namesTwoFunds({ fundId, fundName }: Split): boolean {
  return fundId !== undefined && fundName?.fundId !== undefined && fundId !== fundName.fundId;
}

function findById(people: PeopleModel, { giver, peopleId = 0 }: GiftRequest): Found | string {
  const person = people.survivorOf(peopleId);
  if (person === undefined) return 'person_not_found';
  const doubts = { reasons: people.goesBy(person, giver) ? [] : ['other_last_name'], persons: [] };
  return { person, match: { by: 'id', on: [], otherCandidates: [] }, doubts };
}

function findByDetails(people: PeopleModel, { giver, ignoreUnknownPerson }: GiftRequest): Found | string {
  const [best, ...others] = people.matches(giver);
  if (best !== undefined) {
    const otherCandidates = others.map(({ person }) => person.id);
    const doubts = doubtsAboutMatch(people, giver, best, others);
    return { person: best.person, match: { by: 'match', on: best.on, otherCandidates }, doubts };
  }
  if (ignoreUnknownPerson === true) return 'unknown_person';
  const match = { by: 'created', on: [], otherCandidates: [] } as const;
  return { person: undefined, match, doubts: doubtsAboutNew(people, giver) };
}

function create(people: PeopleModel, id: number, { giver }: GiftRequest): Person {
  return people.create(people.has(id) ? NEW_ID : id, giver);
}

/** The date of the gift and its day in church time: as sent, or now. */
function given({ timeZone, ledger }: Books, { date }: GiftRequest, now: string): { date: string; day: string } {
  if (date === undefined) return { date: now, day: ledger.today };
  const instant = DateTime.fromISO(date.iso, { zone: timeZone });
  return { date: instant.toJSDate().toISOString(), day: String(instant.toISODate()) };
}
