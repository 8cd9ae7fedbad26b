import { anyCaseOf, id, IgnoresNothing, OptionalField, RequiredField, text } from '../../http/index.js';
import { CONTACT_KINDS } from '../person-view.js';

/** The requested page of the list of unconfirmed contacts. */
export class ListContactsRequest {
  @OptionalField(id, { description: 'For the next page: `next` of the previous page.', examples: [231] })
  after?: number;
}

const VALUE = {
  description: 'One e-mail address, or a valid phone number in any notation.',
  examples: ['john@example.org'],
} as const;

/** The body of AddContact. */
@IgnoresNothing()
export class AddContactRequest {
  @RequiredField(anyCaseOf(CONTACT_KINDS), { description: 'E-mail address or phone number.', examples: ['email'] })
  Kind!: (typeof CONTACT_KINDS)[number];

  @RequiredField(text(254), VALUE)
  Value!: string;
}

/** The form that replaces a contact by another one of the same kind. */
@IgnoresNothing()
export class ReplaceContactRequest {
  @RequiredField(text(254), VALUE)
  Value!: string;
}
