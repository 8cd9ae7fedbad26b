import { Fragment, type VNode } from 'preact';
import { Form, type FormState, HiddenField, Link, Moment, queryOf, SubmitButton } from '../../../../pages/index.js';
import type { ReviewReason } from '../../../reviews/index.js';
import { SeenReview } from '../../seen-review.js';
import type { ReviewDetails } from '../review-details.js';
import { REVIEW_FIELD } from '../../gift-pages/correcting/review-origin.service.js';
import { Gifts, nameOf, Persons } from './review-sides.js';

const REVIEWS = '/console/reviews';

interface ReviewToDecideProps {
  readonly review: ReviewDetails;
  readonly fundNames: ReadonlyMap<number, string>;
  readonly mayDecide: boolean;
  readonly state: FormState;
}

/** A review: why, who and what side by side, and the decisions. */
export function ReviewToDecide({ review, fundNames, mayDecide, state }: ReviewToDecideProps): VNode {
  const isOpen = review.closedAt === null;
  return (
    <>
      {state.message !== undefined && (
        <div class="refusal" role="alert">
          {state.message} Below is how it is now.
        </div>
      )}
      <ul class="reasons">
        {review.reasonsInWords.map(({ reason, meaning }) => (
          <li key={reason}>{meaning}</li>
        ))}
      </ul>
      {!isOpen && <Closed review={review} />}
      {isOpen && mayDecide && <Decisions review={review} />}
      <Sides review={review} fundNames={fundNames} />
    </>
  );
}

/** The reasons that are not about the giver. */
const NOT_ABOUT_GIVER: readonly ReviewReason[] = ['closed_fund', 'earlier_year'];

/** What is compared: first what the review is about. */
function Sides({ review, fundNames }: Pick<ReviewToDecideProps, 'review' | 'fundNames'>): VNode {
  const isAboutGiver = review.reasons.some((reason) => !NOT_ABOUT_GIVER.includes(reason));
  const persons = isAboutGiver && <Persons key="persons" review={review} />;
  const gifts = <Gifts key="gifts" review={review} fundNames={fundNames} />;
  return <>{review.similarGifts.length > 0 ? [gifts, persons] : [persons, gifts]}</>;
}

const CLOSED_THROUGH: Readonly<Record<string, string>> = {
  accept: 'the gift was kept as it is',
  reassignment: 'the gift is from another person',
  reversal: 'the gift was taken back',
  merge: 'the persons were merged',
  move: 'the gift was moved to another fund',
};

function Closed({ review: { closedAt, closedBy, closedThrough } }: { readonly review: ReviewDetails }): VNode {
  return (
    <p class="message">
      Closed <Moment value={new Date(closedAt ?? 0)} /> by {closedBy ?? 'an earlier release'}
      {closedThrough !== null && <>: {CLOSED_THROUGH[closedThrough] ?? closedThrough}</>}. Nothing is left to decide.
    </p>
  );
}

/** What can be decided, in the order of the buttons. The keys are their numbers. */
function Decisions({ review }: { readonly review: ReviewDetails }): VNode {
  const { reviewId, contributionId, peopleId, others, left, reasons } = review;
  const [path, giftPath] = [`${REVIEWS}/${reviewId}`, `/console/gifts/${contributionId}`];
  const origin = queryOf({ [REVIEW_FIELD]: reviewId });
  const isLeft = /[1-9]/.test(left);
  const decisions: readonly Decision[] = [
    (hotkey) => (
      <Form to={`${path}/accept`}>
        <SeenReview review={review} />
        <SubmitButton {...hotkey}>Keep as it is</SubmitButton>
      </Form>
    ),
    ...(isLeft && reasons.includes('closed_fund')
      ? [linkTo(`${giftPath}/fund${origin}`, 'Move to another fund…')]
      : []),
    ...others.map(({ person }): Decision => (hotkey) => (
      <Form to={`${path}/give`}>
        <HiddenField name="PeopleId" value={String(person.peopleId)} />
        <HiddenField name="FromPeopleId" value={String(peopleId)} />
        <SubmitButton kind="quiet" {...hotkey}>
          It is from {nameOf(person)}
        </SubmitButton>
      </Form>
    )),
    ...others.map(({ person }) =>
      linkTo(`${path}/merge${queryOf({ other: person.peopleId })}`, `Same person: merge with ${nameOf(person)}…`),
    ),
    linkTo(`${giftPath}/giver${origin}`, `It is from ${others.length === 0 ? 'another person' : 'somebody else'}…`),
    ...(isLeft ? [linkTo(`${giftPath}/take-back${origin}`, 'Take back the gift…')] : []),
  ];
  return (
    <section class="decisions" aria-label="Decide">
      {decisions.map((decision, index) => (
        <Fragment key={index}>{decision(index < LAST_KEY ? { hotkey: String(index + 1) } : {})}</Fragment>
      ))}
    </section>
  );
}

/** The last key that is a number. */
const LAST_KEY = 9;

/** Makes the button of a decision with its key. */
type Decision = (hotkey: { readonly hotkey?: string }) => VNode;

function linkTo(path: string, label: string): Decision {
  return (hotkey) => (
    <Link to={path} button {...hotkey}>
      {label}
    </Link>
  );
}
