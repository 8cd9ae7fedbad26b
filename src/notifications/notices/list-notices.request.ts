import { anyCaseOf, filterId, OptionalField } from '../../http/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../deliveries/delivery.entity.js';

/** The filter of the list of notices. Omitted fields do not filter. */
export class ListNoticesRequest {
  @OptionalField(anyCaseOf(DELIVERY_STATUSES), {
    description: 'Only deliveries with this status.',
    examples: ['failed'],
  })
  status?: DeliveryStatus;

  @OptionalField(filterId, { description: 'For the next page: `next` of the previous page.', examples: [12] })
  before?: number;
}
