import type { VNode } from 'preact';
import { Form, type FormState, HiddenField, Link, Moment, queryOf, SubmitButton } from '../../../../pages/index.js';
import { SeenReview } from '../../seen-review.js';
import type { ReviewDetails } from '../review-details.js';
import { Gifts, Persons } from './review-sides.js';

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
      <Persons review={review} />
      <Gifts review={review} fundNames={fundNames} />
    </>
  );
}

const CLOSED_THROUGH: Readonly<Record<string, string>> = {
  accept: 'the gift is right as it is',
  reassignment: 'the gift went to another person',
  reversal: 'the gift was taken back',
  merge: 'the persons were merged',
};

function Closed({ review: { closedAt, closedBy, closedThrough } }: { readonly review: ReviewDetails }): VNode {
  return (
    <p class="message">
      Closed <Moment value={new Date(closedAt ?? 0)} /> by {closedBy ?? 'an earlier release'}
      {closedThrough !== null && <>: {CLOSED_THROUGH[closedThrough] ?? closedThrough}</>}. Nothing is left to decide.
    </p>
  );
}

/** The keys 2 and 3 are for the first of the other persons. */
function Decisions({ review }: { readonly review: ReviewDetails }): VNode {
  const { reviewId, contributionId, peopleId, others, left } = review;
  const path = `${REVIEWS}/${reviewId}`;
  const several = others.length > 1;
  return (
    <section class="decisions" aria-label="Decide">
      <Form to={`${path}/accept`}>
        <SeenReview review={review} />
        <SubmitButton hotkey="1">1 Right as it is</SubmitButton>
      </Form>
      {others.map(({ person }, index) => (
        <Form key={person.peopleId} to={`${path}/give`}>
          <HiddenField name="PeopleId" value={String(person.peopleId)} />
          <HiddenField name="FromPeopleId" value={String(peopleId)} />
          <SubmitButton kind="quiet" {...(index === 0 && { hotkey: '2' })}>
            {index === 0 ? '2 ' : ''}Give to {several ? `person ${person.peopleId}` : 'the other person'}
          </SubmitButton>
        </Form>
      ))}
      {others.map(({ person }, index) => (
        <Link
          key={person.peopleId}
          to={`${path}/merge${queryOf({ other: person.peopleId })}`}
          button
          {...(index === 0 && { hotkey: '3' })}
        >
          {index === 0 ? '3 ' : ''}Same person: merge{several ? ` with ${person.peopleId}` : ''}…
        </Link>
      ))}
      {/[1-9]/.test(left) && (
        <Link to={`/console/gifts/${contributionId}/take-back${queryOf({ Review: reviewId })}`} button hotkey="4">
          4 Take the gift back…
        </Link>
      )}
      {others.length === 0 && <Link to={`/console/gifts/${contributionId}`}>Give it to another person</Link>}
    </section>
  );
}
