import { id, OptionalField } from '../../http/index.js';

/** The requested page of the list of reviews. */
export class ListReviewsRequest {
  @OptionalField(id, { description: 'For the next page: the last reviewId of the previous page.', examples: [200] })
  after?: number;
}
