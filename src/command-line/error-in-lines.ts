/** An error whose message is printed as it is, line by line; those of other errors become one line. */
export class ErrorInLines extends Error {}
