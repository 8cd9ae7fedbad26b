import { DateTime } from 'luxon';
import { type Doubts, doubtsAboutMatch, doubtsAboutNew } from './doubts-model.js';
import { done, type Expected, refused, type Seen } from './answers.js';
import { alreadyReversed, type Books, type SentTransaction } from './books.js';
import { type MatchView, NEW_ID } from './entry.js';
import type { AddGift, GiftRequest } from './operation.js';
import type { PeopleModel, Person } from './people-model.js';

/** AddContribution: changes the books and returns the expected answer. */
export function addGift(books: Books, operation: AddGift, seen: Seen): Expected {
  const { request } = operation;
  const fields = [
    ...(request.cents > 0 ? [] : ['Amount']),
    ...(request.transactionId !== undefined && request.source === undefined ? ['Source'] : []),
  ];
  if (fields.length > 0) return { codes: ['invalid_request'], fields };
  const answer = operation.dryRun
    ? preview(books, operation)
    : books.keys.once(operation, contentOf(request), () => addUnlessRecorded(books, operation, seen));
  // The service may report invalid ids before it reports a reused key.
  return 'codes' in answer ? { ...answer, codes: [...answer.codes, ...books.ledger.faultsOf(request)] } : answer;
}

function addUnlessRecorded(books: Books, operation: AddGift, seen: Seen): Expected {
  const earlier = books.transactions.get(pairOf(operation));
  if (earlier !== undefined) return refusalOfSecond(earlier, operation) ?? { body: earlier.answer, replayed: true };
  const found = find(books, operation.request);
  if ('codes' in found) return found;
  const made = books.made(seen);
  if (made === undefined) return done('a recorded gift');
  const { request } = operation;
  const person = found.person ?? create(books.people, Number(seen.answer.body['PeopleId']), request);
  if (found.match.by === 'match') books.people.noteContacts(person, request.giver);
  const gift = books.ledger.addGift(operation, person.id, found.match, {
    ...made,
    ...given(books, request, made.date),
  });
  books.reviews.list(gift, found.doubts);
  const answer = {
    PeopleId: person.id,
    ContributionId: gift.id,
    NewPerson: found.match.by === 'created',
    MultipleMatches: found.match.otherCandidates.length > 0,
    Source: request.source ?? null,
  };
  if (request.transactionId !== undefined) books.transactions.set(pairOf(operation), { request, gift, answer });
  return done(answer);
}

/** The answer with `?dryRun=true`. It depends on earlier transactions, but not on keys. */
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

/** The refusal of a used pair of Source and TransactionId; undefined if the gift is the same and not reversed. */
function refusalOfSecond({ request, gift }: SentTransaction, second: AddGift): Expected | undefined {
  if (contentOf(request) !== contentOf(second.request)) return refused('transaction_id_reused');
  return gift.reversal === null ? undefined : alreadyReversed(gift.reversal);
}

/** Two requests are the same if their contents are equal. */
function contentOf(request: GiftRequest): string {
  return JSON.stringify(request);
}

/** The key of a gift with a TransactionId; 'none' for other gifts. */
function pairOf({ user, request: { source, transactionId } }: AddGift): string {
  return transactionId === undefined ? 'none' : JSON.stringify([user, source, transactionId]);
}

/** The person of a gift; undefined if a new person is created. */
interface Found {
  readonly person: Person | undefined;
  readonly match: MatchView;
  readonly doubts: Doubts;
}

/** The person of a gift, or all errors of the gift, including its currency. */
function find({ people, ledger }: Books, request: GiftRequest): Found | ReturnType<typeof refused> {
  const found = request.peopleId === undefined ? findByDetails(people, request) : findById(people, request);
  const ofCurrency = request.currency === 'EUR' ? ['currency_mismatch'] : [];
  const codes = [...(typeof found === 'string' ? [found] : []), ...ofCurrency, ...ledger.faultsOf(request)];
  return typeof found === 'string' || codes.length > 0 ? refused(...codes) : found;
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
