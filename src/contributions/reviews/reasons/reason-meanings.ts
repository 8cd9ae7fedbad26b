import type { ReviewReason } from './review-reasons.js';

/** What each reason says to a reviewer. */
export const MEANING_OF_REASONS: Readonly<Record<ReviewReason, string>> = {
  several_matches: 'More than one person matches the gift.',
  other_last_name: 'The gift named this person by id, but has another last name.',
  deceased: 'The person is marked as deceased.',
  similar_person:
    'A new person was added for this giver, although somebody has the same last name and the same e-mail or phone.',
  similar_spelling:
    'A new person was added for this giver, although somebody has nearly the same name and contacts in another spelling.',
  changed_last_name:
    'A new person was added for this giver, although somebody has the same first name and the same contacts under another last name.',
  known_name:
    'A new person was added for this giver, although somebody has the same name, and the contacts are not enough to tell them apart.',
  other_contact: 'The person matched by one contact. The other contact of the gift is new for this person.',
  shared_contact:
    'The contact by which the person was found says little about the giver, because many people share it.',
  without_contacts:
    'The gift has neither e-mail nor phone. A new person was added for this giver, or one was found by name and address only.',
  closed_fund: 'The fund is closed.',
  possible_duplicate: 'The same person gave the same amount on the same day. The gift may have been sent twice.',
  similar_row:
    'A row of an imported file differs from a recorded gift only in its e-mail or phone, or in how its date was read.',
  earlier_year: 'The gift is dated in an earlier year, for which a giving statement may already be sent.',
};
