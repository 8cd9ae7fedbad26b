import { Injectable, Optional } from '@nestjs/common';
import type { Caller } from '../../../auth/index.js';
import {
  ExpectedError,
  type FieldFault,
  foldFieldName,
  InvalidRequestError,
  RequestReader,
} from '../../../http/index.js';
import { isAbsent } from '../../../values/index.js';
import type { AddContributionCommand } from '../recording/add-contribution-command.js';
import { AddContributionRequest } from '../requests/add-contribution.request.js';
import { toCommand } from '../requests/request-to-command.js';
import type { SentFields } from './add-contributions.request.js';
import { GiftScreening } from './gift-screening.js';

/** The fields that make a gift of a batch safe to repeat. */
const NEEDED = ['Source', 'TransactionId'] as const;

/** Reads the gifts of a batch, each by the rules of AddContribution. */
@Injectable()
export class ReadGifts {
  constructor(
    private readonly reader: RequestReader,
    @Optional() private readonly screening?: GiftScreening,
  ) {}

  /**
   * The gifts in their order. An invalid one is its error.
   * @throws InvalidRequestError if a gift has no Source or no TransactionId: then nothing of the batch is recorded.
   */
  read(gifts: readonly SentFields[], caller: Caller): (AddContributionCommand | ExpectedError)[] {
    const faults = gifts.flatMap(missingFields);
    if (faults.length > 0) throw InvalidRequestError.ofFields(faults);
    return gifts.map((gift) => {
      const read = this.readGift(gift, caller);
      return read instanceof ExpectedError ? read : (this.screening?.refusalOf(read.giver) ?? read);
    });
  }

  private readGift(gift: SentFields, caller: Caller): AddContributionCommand | ExpectedError {
    try {
      return toCommand(this.reader.read(AddContributionRequest, gift), caller, undefined);
    } catch (error) {
      if (error instanceof ExpectedError) return error;
      throw error;
    }
  }
}

function missingFields(gift: SentFields, index: number): FieldFault[] {
  const sent = new Map(Object.entries(gift).map(([name, value]) => [foldFieldName(name), value]));
  const missing = NEEDED.filter((name) => isAbsent(sent.get(foldFieldName(name))));
  return missing.map((name) => ({ field: 'Gifts', message: `number ${index + 1}: ${name} is required in a batch` }));
}
