/** An error whose message keeps its line breaks when it is printed; other messages are printed as one line. */
export class ErrorInLines extends Error {}
