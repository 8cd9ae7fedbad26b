/**
 * Text of anybody's as part of one line: line breaks, control and format characters (those that reverse the reading
 * direction among them), lone surrogates and runs of white space each become a single space.
 */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
