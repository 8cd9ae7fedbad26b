/**
 * If at least this many persons have an e-mail address or phone number, it says little about who gave. It may belong to
 * an office, or a payment processor may have filled it in. A household is smaller. docs/matching.md quotes this.
 */
export const SHARED_CONTACT_MIN_PERSONS = 5;

/** Prefixes, without separators, of local parts that no one reads mail at, in the languages of common processors. */
const NO_REPLY_PREFIXES = [
  ...['noreply', 'noreplies', 'donotreply', 'dontreply', 'noresponse', 'mailerdaemon'],
  ...['keineantwort', 'nichtantworten', 'bittenichtantworten', 'nepasrepondre', 'noresponder', 'norespondas'],
  ...['naoresponda', 'naoresponder', 'nonrispondere', 'geenantwoord', 'nietbeantwoorden', 'svarinte', 'svarikke'],
];

/** Local parts that people and forms fill in when there is no address. */
const PLACEHOLDERS = /^(?:none|no-?e?-?mail|not?given|na|null|unknown|anonymous|nobody|noone|noaddress)\d*$/;

/** Whether a folded e-mail address belongs to no single person: a no-reply address or a placeholder. */
export function isImpersonalAddress(foldedEmail: string): boolean {
  const at = foldedEmail.lastIndexOf('@');
  const [local, domain] = [foldedEmail.slice(0, at).replace(/\+.*$/, ''), foldedEmail.slice(at + 1)];
  const joined = local.replace(/[._-]/g, '');
  return (
    NO_REPLY_PREFIXES.some((prefix) => joined.startsWith(prefix)) ||
    PLACEHOLDERS.test(joined) ||
    domain.split('.').some((label) => label === 'noreply' || label === 'no-reply' || label === 'invalid')
  );
}
