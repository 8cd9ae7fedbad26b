import { id, OptionalField } from '../../http/index.js';

/** Which page of the list of reviews is asked for. */
export class ListReviewsRequest {
  @OptionalField(id, { description: 'For the next page: the last reviewId of the page before.', examples: [200] })
  after?: number;
}
