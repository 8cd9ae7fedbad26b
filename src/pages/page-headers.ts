/**
 * The headers of each page. It loads scripts, styles and pictures of this service only, and no inline ones. Forms need
 * the referrer policy: with `no-referrer`, Chromium sends them with `Origin: null`.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'Referrer-Policy': 'same-origin',
};
