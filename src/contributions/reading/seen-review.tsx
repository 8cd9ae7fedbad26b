import type { VNode } from 'preact';
import type { Query as Sent } from '../../http/index.js';
import { HiddenField } from '../../pages/index.js';
import type { ReviewView } from '../reviews/index.js';

/** What a form that accepts a review sends along of it: somebody else may change it meanwhile. */
export function SeenReview({ review: { peopleId, reasons } }: { readonly review: ReviewView }): VNode {
  return (
    <>
      <HiddenField name="PeopleId" value={String(peopleId)} />
      {reasons.map((reason) => (
        <HiddenField key={reason} name="Reasons" value={reason} />
      ))}
    </>
  );
}

/** The fields of such a form. A browser sends a single reason as text, not as a list. */
export function seenReviewIn(sent: Sent): Sent {
  const { Reasons: reasons, ...rest } = sent;
  return reasons === undefined ? rest : { ...rest, Reasons: [reasons].flat() };
}
