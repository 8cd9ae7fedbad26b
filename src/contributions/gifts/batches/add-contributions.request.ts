import { fieldReader, listOfObjects, RequiredField } from '../../../http/index.js';
import { fault, read } from '../../../values/index.js';
import { AddContributionRequest } from '../requests/add-contribution.request.js';

/** The most gifts in one call. */
export const MAX_GIFTS = 100;

/** The fields of a gift as sent. */
export type SentFields = Readonly<Record<string, unknown>>;

const { schema } = listOfObjects(AddContributionRequest, MAX_GIFTS);

/** Gifts as sent. Each is read later, so that an invalid one does not keep the others from being recorded. */
const gifts = Object.assign(
  fieldReader<readonly SentFields[]>(schema, (value) =>
    Array.isArray(value) && value.length >= 1 && value.length <= MAX_GIFTS && value.every(isObject)
      ? read(value)
      : fault(`must be a list of 1 to ${MAX_GIFTS} objects`),
  ),
  { itemsAre: AddContributionRequest, acceptsObjects: true },
);

function isObject(value: unknown): value is SentFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body of AddContributions. */
export class AddContributionsRequest {
  @RequiredField(gifts, {
    description:
      `1 to ${MAX_GIFTS} gifts with the fields of AddContribution. Each needs \`Source\` and \`TransactionId\`, so that the ` +
      'call is safe to repeat.',
    examples: [
      [
        {
          ...{ First: 'John', Last: 'Appleseed', Email: 'john@example.org', Phone: '901-489-0611', Amount: '10.00' },
          ...{ Source: 'txt2give', TransactionId: 'T-20260726-0042' },
        },
      ],
    ],
  })
  Gifts!: readonly SentFields[];
}
