/**
 * Marks in which a mail program finds an address: the colon of a scheme (`https://…`, `mailto:…`), the dot before a
 * top-level domain (`www.example.org`, also in the forms that browsers read as a dot) or within an IP address, and the
 * at sign of a mail address. A dot before a single letter ends no domain, so initials such as `J.R.` remain.
 */
const MARKS =
  /(?<=\p{L}[\p{L}\p{M}\p{N}+-]{0,40}):(?=\S)|(?<=\S)[.\u3002\uFF0E\uFF61](?=\p{L}[\p{L}\p{M}\p{N}-]|\d+\.\d)|(?<=\S)[@\uFF20](?=\S)/gu;

/**
 * Makes an address in a text visible but not clickable: `https[:]//thief[.]example`. Mail programs turn plain text, also
 * that of HTML, into links. Anybody can give a name or a source that says "confirm at thief.example", and Finance would
 * read it in a mail of its own system. Square brackets are the usual notation for that. Invisible characters would not be
 * enough: some programs take them for a part of the address, and a person who copies the text gets them, too.
 */
export function withoutLinks(text: string): string {
  return text.replace(MARKS, '[$&]');
}
