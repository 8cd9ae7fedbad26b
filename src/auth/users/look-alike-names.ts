import unhomoglyph from 'unhomoglyph';

/** Characters that are not displayed, such as a zero-width space or a variation selector. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;

/**
 * Whether two user names could be mistaken for each other in a list, a mail or the audit trail. They are if they differ
 * only in letter case, width, spaces, invisible characters, or in characters that Unicode lists as confusable, such as a
 * Latin and a Cyrillic a (UTS 39, "Confusable Detection").
 */
export function lookAlike(one: string, other: string): boolean {
  const known = skeletonsOf(other);
  return skeletonsOf(one).some((skeleton) => known.includes(skeleton));
}

/**
 * Names are confusable if they share one of these. The second one is needed because confusability depends on the case:
 * a capital I looks like a small l, and a small i does not.
 */
function skeletonsOf(name: string): string[] {
  const folded = name.normalize('NFKC').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim();
  return [folded, folded.toLowerCase()].map((form) =>
    unhomoglyph(form.normalize('NFD')).normalize('NFKD').toLowerCase(),
  );
}
