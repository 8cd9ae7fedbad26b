import type { VNode } from 'preact';
import {
  type Column,
  Form,
  type FormState,
  Link,
  SelectField,
  SubmitButton,
  Table,
  TextField,
} from '../../../pages/index.js';
import type { ContactView, PersonView } from '../../../people/index.js';

interface ContactsProps {
  readonly person: PersonView;
  readonly mayChange: boolean;
  /** Of the form for a new contact. */
  readonly state: FormState;
}

/** The e-mail addresses and phone numbers of a person, and a form to add one. */
export function PersonContacts({ person, mayChange, state }: ContactsProps): VNode {
  return (
    <section aria-labelledby="contacts">
      <h2 id="contacts">Contacts</h2>
      <p class="help">Gifts match the person by confirmed contacts. The others came with a gift, and wait for you.</p>
      <Table
        caption="Contacts"
        rows={person.contacts}
        keyOf={({ id }) => id}
        columns={mayChange ? [...COLUMNS, actionsFor(person)] : COLUMNS}
        empty="There is no e-mail address and no phone number. Add one, so that gifts find this person."
      />
      {mayChange && <NewContact person={person} state={state} />}
    </section>
  );
}

function NewContact({ person, state }: Omit<ContactsProps, 'mayChange'>): VNode {
  return (
    <details class="more" open={state.faults.length > 0 || state.message !== undefined}>
      <summary>Add a contact</summary>
      <Form to={`/console/people/${person.peopleId}/contacts`} state={state}>
        <SelectField
          name="Kind"
          label="Kind"
          options={[
            ['email', 'E-mail'],
            ['phone', 'Phone'],
          ]}
        />
        <TextField name="Value" label="E-mail address or phone number" required />
        <SubmitButton>Add the contact</SubmitButton>
      </Form>
    </details>
  );
}

const COLUMNS: readonly Column<ContactView>[] = [
  { header: 'Kind', cell: ({ kind }) => (kind === 'email' ? 'E-mail' : 'Phone') },
  { header: 'Contact', cell: ({ value }) => value },
  { header: 'Confirmed', cell: ({ confirmed }) => (confirmed ? 'Yes' : 'Not yet') },
];

function actionsFor({ peopleId }: PersonView): Column<ContactView> {
  return {
    header: 'Change',
    cell: ({ id, value, confirmed }) => (
      <div class="buttons">
        {!confirmed && (
          <Form to={`/console/people/${peopleId}/contacts/${id}/confirm`}>
            <SubmitButton kind="quiet">
              Confirm<span class="unseen"> {value}</span>
            </SubmitButton>
          </Form>
        )}
        <Link to={`/console/people/${peopleId}/contacts/${id}`}>
          Replace…<span class="unseen"> {value}</span>
        </Link>
        <Form to={`/console/people/${peopleId}/contacts/${id}/remove`}>
          <SubmitButton kind="quiet">
            Remove<span class="unseen"> {value}</span>
          </SubmitButton>
        </Form>
      </div>
    ),
  };
}
