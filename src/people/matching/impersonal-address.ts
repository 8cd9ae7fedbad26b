/**
 * From so many persons on an e-mail address or phone number says little about who gave: an office's, or one that a
 * payment processor puts in. A household is smaller. docs/matching.md quotes this.
 */
export const SHARED_BY_MANY = 5;

/** The beginnings of local parts nobody reads mail at, without separators, in the languages of common processors. */
const NOBODYS = [
  ...['noreply', 'noreplies', 'donotreply', 'dontreply', 'noresponse', 'mailerdaemon'],
  ...['keineantwort', 'nichtantworten', 'bittenichtantworten', 'nepasrepondre', 'noresponder', 'norespondas'],
  ...['naoresponda', 'naoresponder', 'nonrispondere', 'geenantwoord', 'nietbeantwoorden', 'svarinte', 'svarikke'],
];

/** What people and forms write where there is no address. */
const PLACEHOLDERS = /^(?:none|no-?e?-?mail|not?given|na|null|unknown|anonymous|nobody|noone|noaddress)\d*$/;

/** Whether an e-mail address, folded, is made for no one person: a no-reply address, or a placeholder for none. */
export function isImpersonalAddress(foldedEmail: string): boolean {
  const at = foldedEmail.lastIndexOf('@');
  const [local, domain] = [foldedEmail.slice(0, at).replace(/\+.*$/, ''), foldedEmail.slice(at + 1)];
  const joined = local.replace(/[._-]/g, '');
  return (
    NOBODYS.some((beginning) => joined.startsWith(beginning)) ||
    PLACEHOLDERS.test(joined) ||
    domain.split('.').some((label) => label === 'noreply' || label === 'no-reply' || label === 'invalid')
  );
}
