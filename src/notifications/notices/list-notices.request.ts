import { anyCaseOf, filterId, OptionalField } from '../../http/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../deliveries/delivery.entity.js';
import { UNSENT } from './notices.service.js';

/** The filter of the list of notices. Omitted fields do not filter. */
export class ListNoticesRequest {
  @OptionalField(anyCaseOf([...DELIVERY_STATUSES, UNSENT]), {
    description: 'Only deliveries with this status. `unsent` selects those that are pending or failed.',
    examples: ['failed'],
  })
  status?: DeliveryStatus | typeof UNSENT;

  @OptionalField(filterId, { description: 'For the next page: `next` of the previous page.', examples: [12] })
  before?: number;
}
