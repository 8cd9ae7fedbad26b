/** The text without what the database cannot store in JSON. @param max the most characters that are kept. */
export function storableText(text: string, max = Infinity): string {
  const characters = Array.from(text.replaceAll('\0', '\u{FFFD}'));
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : characters.join('');
}
