const UNDER_API = /^\/api(\/|$)/i;
const UNDER_CONSOLE = /^\/console(\/|$)/i;
const UNDER_GUIDES = /^\/guides(\/|$)/i;

/** Whether a path, or the pattern of a route, is a call of the API. */
export function isUnderApi(path: string): boolean {
  return UNDER_API.test(path);
}

/** Whether a path, or the pattern of a route, is a page of the console. */
export function isUnderConsole(path: string): boolean {
  return UNDER_CONSOLE.test(path);
}

/** Whether a path is one at which people read pages. All failures elsewhere are problem documents. */
export function isReadByPeople(path: string): boolean {
  return isUnderConsole(path) || UNDER_GUIDES.test(path);
}
