/** The environment of a test system. */
export const TEST_MODE = { OFFERTORY_MODE: 'test' } as const;

/** The header of each answer of a test system, in lower case. */
export const MODE_HEADER = 'x-offertory-mode';
