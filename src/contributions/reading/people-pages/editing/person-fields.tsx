import type { VNode } from 'preact';
import { TextArea, TextField } from '../../../../pages/index.js';
import type { PersonView } from '../../../../people/index.js';
import { LONGEST } from '../../../../values/index.js';

/** What to say beside fields in place of their help, by their names. */
export type FieldNotes = Readonly<Record<string, string>>;

interface FieldsProps {
  /** The person who is edited. */
  readonly person?: PersonView;
  readonly notes?: FieldNotes;
  readonly autofocus?: boolean;
}

/** The names of a person. */
export function NameFields({ person, notes = {}, autofocus = false }: FieldsProps): VNode {
  const max = LONGEST.name;
  return (
    <>
      <TextField
        name="First"
        label="First name"
        value={person?.first}
        {...helpOf(notes['First'])}
        maxLength={max}
        required
        autofocus={autofocus}
      />
      <TextField
        name="Last"
        label="Last name"
        value={person?.last}
        {...helpOf(notes['Last'])}
        maxLength={max}
        required
      />
      <TextField
        name="Nickname"
        label="Nickname"
        value={person?.nickname ?? undefined}
        {...helpOf(notes['Nickname'] ?? 'Matches like the first name.')}
        maxLength={max}
      />
      <TextField
        name="FormerLast"
        label="Former last name"
        value={person?.formerLast ?? undefined}
        {...helpOf(notes['FormerLast'] ?? 'Such as a maiden name. Gifts that still have it match, too.')}
        maxLength={max}
      />
    </>
  );
}

/** The postal address of a person, which may have several lines. */
export function AddressFields({ person, notes = {} }: FieldsProps): VNode {
  return (
    <>
      <TextArea
        name="Address"
        label="Address"
        value={person?.address ?? undefined}
        {...helpOf(notes['Address'])}
        maxLength={LONGEST.address}
      />
      <TextField
        name="Zip"
        label="Postal code"
        value={person?.zip ?? undefined}
        {...helpOf(notes['Zip'])}
        maxLength={LONGEST.zip}
      />
    </>
  );
}

function helpOf(help: string | undefined): { help?: string } {
  return help === undefined ? {} : { help };
}
