import type { Caller } from '../../../auth/index.js';
import { SentRequest } from '../../../idempotency/index.js';
import type { AddContributionCommand } from '../add-contribution.service.js';
import { ADDED_IN_VERSION, type AddContributionRequest } from './add-contribution.request.js';

/** What a request asks for, in the words of the use case. Casing ends here. */
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
    notes: request.Notes ?? null,
    source: request.Source ?? null,
    fundId: request.FundId,
    peopleId: request.PeopleId,
    ignoreUnknownPerson: request.IgnoreUnknownPerson ?? false,
    bundleTypeId: request.BundleTypeId,
    contributionTypeId: request.ContributionTypeId,
    transactionId: request.TransactionId ?? null,
    userId: user.userId,
    username: user.username,
    key,
    sent: sentGift(request),
  };
}

/** To compare with a gift that is recorded already. */
export function sentGift(request: AddContributionRequest): SentRequest {
  return new SentRequest(request, ADDED_IN_VERSION);
}
