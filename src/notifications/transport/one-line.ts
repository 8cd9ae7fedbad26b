/**
 * Makes untrusted text safe within one line. Each run of white space, line breaks, lone surrogates, control and format
 * characters (including those that reverse the reading direction) becomes a single space.
 */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
