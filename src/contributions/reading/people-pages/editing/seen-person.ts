import type { Query as Sent } from '../../../../http/index.js';
import type { FormState } from '../../../../pages/index.js';
import type { PersonView } from '../../../../people/index.js';

/** The details that the form edits, as it sends them. */
const DETAILS = {
  First: ({ first }) => first,
  Last: ({ last }) => last,
  Nickname: ({ nickname }) => nickname ?? '',
  FormerLast: ({ formerLast }) => formerLast ?? '',
  Address: ({ address }) => address ?? '',
  Zip: ({ zip }) => zip ?? '',
  Deceased: ({ deceased }) => String(deceased),
} as const satisfies Readonly<Record<string, (person: PersonView) => string>>;

type Detail = keyof typeof DETAILS;

const NAMES = Object.keys(DETAILS) as Detail[];
const PREFIX = 'Seen';

/** What the form sends along of the person that it shows, by the names of hidden fields. */
export function seenFieldsOf(person: PersonView): Readonly<Record<string, string>> {
  return Object.fromEntries(NAMES.map((name) => [PREFIX + name, DETAILS[name](person)]));
}

/** What the form has sent along, and the other fields. */
export function seenAndRest(sent: Sent): { readonly seen: Readonly<Record<string, string>>; readonly rest: Sent } {
  const isSeen = (name: string): boolean => NAMES.some((one) => name === PREFIX + one);
  const seen = Object.entries(sent).flatMap(([name, value]) =>
    isSeen(name) && typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    seen: Object.fromEntries(seen),
    rest: Object.fromEntries(Object.entries(sent).filter(([name]) => !isSeen(name))),
  };
}

/** The state of a form after somebody else was faster, and what has to be said beside its fields. */
export interface Conflict {
  readonly state: FormState;
  /** By field: how it is now, or that it was changed meanwhile. */
  readonly notes: Readonly<Record<string, string>>;
}

/** Keeps what the person has typed. What they did not change becomes what it is now, so that no work of others is undone. */
export function conflictOf(state: FormState, seen: Readonly<Record<string, string>>, now: PersonView): Conflict {
  const typed: Record<string, string> = { ...state.typed };
  const notes: Record<string, string> = {};
  for (const name of NAMES) {
    const present = DETAILS[name](now);
    const before = lines(seen[PREFIX + name] ?? present);
    const isTyped = lines(typed[name] ?? '') !== before;
    if (!isTyped) typed[name] = present;
    if (isTyped && lines(typed[name] ?? '') !== present) notes[name] = `It is now: ${inWords(name, present)}.`;
    else if (before !== present) notes[name] = `Somebody else has changed it. It was: ${inWords(name, before)}.`;
  }
  return { state: { ...state, typed }, notes };
}

/** Browsers send line breaks as CR LF. */
function lines(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}

function inWords(name: Detail, value: string): string {
  if (name === 'Deceased') return value === 'true' ? 'ticked' : 'not ticked';
  return value === '' ? 'empty' : value;
}
