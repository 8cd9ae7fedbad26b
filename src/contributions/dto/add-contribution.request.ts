import { OptionalField, RequiredField, RequiredWith } from '../../http/index.js';
import type { GiftDate } from '../gift-date.js';
import { amount, digits, email, flag, giftDate, id, lines, text } from './gift-fields.js';

/**
 * What AddContribution accepts, field by field (contract, "AddContribution"), spelled as on the wire.
 * The properties hold what the readers make of the fields; one that was left out is undefined.
 */
export class AddContributionRequest {
  @RequiredField(text(100)) First!: string;
  @RequiredField(text(100)) Last!: string;
  @RequiredField(email) Email!: string;
  @RequiredField(digits(50)) Phone!: string;
  @RequiredField(amount) Amount!: string;
  @OptionalField(lines(255)) Address?: string;
  @OptionalField(digits(20)) Zip?: string;
  @OptionalField(giftDate) Date?: GiftDate;
  @OptionalField(lines(4000)) Notes?: string;
  @RequiredWith('TransactionId') @OptionalField(text(100)) Source?: string;
  @OptionalField(id) FundId?: number;
  @OptionalField(id) PeopleId?: number;
  @OptionalField(flag) IgnoreUnknownPerson?: boolean;
  @OptionalField(id) BundleTypeId?: number;
  @OptionalField(id) ContributionTypeId?: number;
  /** The sender's own id of the gift. */
  @OptionalField(text(100)) TransactionId?: string;
}
