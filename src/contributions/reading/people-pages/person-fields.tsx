import type { VNode } from 'preact';
import { TextField } from '../../../pages/index.js';
import { LONGEST, type PersonView } from '../../../people/index.js';

/** What the fields show of a person who is edited, and of what the person has by now if somebody else was faster. */
interface FieldsProps {
  readonly person?: PersonView;
  /** The person as it is now, if this is not what the form began with. */
  readonly now?: PersonView | undefined;
  readonly autofocus?: boolean;
}

/** The names of a person. */
export function NameFields({ person, now, autofocus = false }: FieldsProps): VNode {
  const max = LONGEST.name;
  return (
    <>
      <TextField
        name="First"
        label="First name"
        value={person?.first}
        {...helpOf(now?.first)}
        maxLength={max}
        required
        autofocus={autofocus}
      />
      <TextField name="Last" label="Last name" value={person?.last} {...helpOf(now?.last)} maxLength={max} required />
      <TextField
        name="Nickname"
        label="Nickname"
        value={person?.nickname ?? undefined}
        {...helpOf(now?.nickname, 'Matches like the first name.')}
        maxLength={max}
      />
      <TextField
        name="FormerLast"
        label="Former last name"
        value={person?.formerLast ?? undefined}
        {...helpOf(now?.formerLast, 'Such as a maiden name. Gifts that still have it match, too.')}
        maxLength={max}
      />
    </>
  );
}

/** The postal address of a person. */
export function AddressFields({ person, now }: FieldsProps): VNode {
  return (
    <>
      <TextField
        name="Address"
        label="Address"
        value={person?.address ?? undefined}
        {...helpOf(now?.address)}
        maxLength={LONGEST.address}
      />
      <TextField
        name="Zip"
        label="Postal code"
        value={person?.zip ?? undefined}
        {...helpOf(now?.zip)}
        maxLength={LONGEST.zip}
      />
    </>
  );
}

function helpOf(now: string | null | undefined, help?: string): { help?: string } {
  if (now !== undefined) return { help: `It is now: ${now ?? 'empty'}.` };
  return help === undefined ? {} : { help };
}
