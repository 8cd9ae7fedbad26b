import type { Caller } from '../../../auth/index.js';
import { SentRequest } from '../../../idempotency/index.js';
import type { AddContributionCommand } from '../recording/add-contribution-command.js';
import { ADDED_IN_VERSION, type AddContributionRequest } from './add-contribution.request.js';
import { paymentOf } from './payment-fields.js';

/** The command of a request, for the use case. Only the request has the casing of the original API. */
export function toCommand(
  request: AddContributionRequest,
  user: Pick<Caller, 'userId' | 'username'>,
  key: string | undefined,
): AddContributionCommand {
  return {
    giver: {
      first: request.First,
      last: request.Last,
      email: request.Email,
      phone: request.Phone,
      address: request.Address ?? null,
      zip: request.Zip ?? null,
    },
    amount: request.Amount,
    currency: request.Currency,
    date: request.Date,
    source: request.Source ?? null,
    peopleId: request.PeopleId,
    ignoreUnknownPerson: request.IgnoreUnknownPerson ?? false,
    bundleTypeId: request.BundleTypeId,
    ...paymentOf(request),
    transactionId: request.TransactionId ?? null,
    userId: user.userId,
    username: user.username,
    key,
    sent: sentGift(request),
  };
}

/** The request in the form that is compared with a recorded gift. */
export function sentGift(request: AddContributionRequest): SentRequest {
  return new SentRequest(request, ADDED_IN_VERSION);
}
