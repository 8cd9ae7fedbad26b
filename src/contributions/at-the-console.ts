/** Who did it, where nobody logged in. */
export const AT_THE_CONSOLE = 'command line';
