/** A kind of subject in the audit trail, as Finance knows it. */
interface SubjectKind {
  /** What Finance calls it. */
  readonly word: string;
  /** The page of one with this id; undefined if none exists. */
  readonly page?: (id: string) => string;
}

/** The kinds of subjects, by their names in the audit trail. The only place that knows which page shows a subject. */
const KINDS: Readonly<Record<string, SubjectKind>> = {
  contribution: { word: 'gift', page: (id) => `/console/gifts/${id}` },
  contributions: { word: 'the list of gifts' },
  gifts: { word: 'the search for gifts' },
  person: { word: 'person', page: (id) => `/console/people/${id}` },
  people: { word: 'the search for people' },
  contact: { word: 'contact' },
  bundle: { word: 'bundle', page: (id) => `/console/bundles/${id}` },
  deposit: { word: 'deposit', page: (id) => `/console/deposits/${id}` },
  deposits: { word: 'what no deposit has' },
  fund: { word: 'fund', page: (id) => `/console/funds/${id}` },
  review: { word: 'review', page: (id) => `/console/reviews/${id}` },
  reviews: { word: 'the list of reviews' },
  delivery: { word: 'notice', page: (id) => `/console/notices/${id}` },
  webhook: { word: 'webhook', page: (id) => `/console/webhooks/${id}` },
};

/** A subject in words, and the page that shows it. */
export interface ShownSubject {
  readonly words: string;
  readonly page: string | undefined;
}

/** @param subject as in the audit trail: "contribution 5" becomes "gift 5". A kind that is not listed stays as it is. */
export function showSubject(subject: string): ShownSubject {
  const [kind = '', ...rest] = subject.split(' ');
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (known === undefined) return { words: subject, page: undefined };
  const id = rest.join(' ');
  return {
    words: [known.word, id].join(' ').trim(),
    page: /^\d{1,10}$/.test(id) ? known.page?.(id) : undefined,
  };
}

/** The subject that somebody typed as it is in the audit trail: "Gift 5", "gift #5" and "5" are "contribution 5". */
export function subjectTyped(text: string): string {
  const number = /^\s*#?\s*(\d+)\s*$/u.exec(text)?.[1];
  if (number !== undefined) return `contribution ${number}`;
  const [, word = '', id = ''] = /^(\p{L}+)\s*#?\s*(\d+)$/u.exec(text.trim()) ?? [];
  const kind = Object.entries(KINDS).find(([name, known]) => [name, known.word].includes(word.toLowerCase()));
  return kind === undefined ? text.trim() : `${kind[0]} ${id}`;
}
