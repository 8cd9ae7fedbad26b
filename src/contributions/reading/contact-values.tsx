import type { VNode } from 'preact';

/**
 * What is as short as a phone number has room on any screen. A longer address may have to break on a narrow one, and a very
 * long one on any.
 */
const [LONGEST_SHORT, LONGEST_WHOLE] = [14, 40];

/** E-mail addresses and phone numbers one after the other. A line breaks between them. */
export function ContactValues({
  contacts,
}: {
  readonly contacts: readonly { readonly value: string }[];
}): VNode | null {
  if (contacts.length === 0) return null;
  return (
    <span>
      {contacts.map(({ value }, index) => (
        <span key={value}>
          {index > 0 && ', '}
          <span class={value.length <= LONGEST_SHORT ? 'short' : value.length <= LONGEST_WHOLE ? 'whole' : undefined}>
            {value}
          </span>
        </span>
      ))}
    </span>
  );
}
