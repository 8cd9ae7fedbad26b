/** A command about notices cannot be done as it was given; the message says why. */
export class NoticeCommandError extends Error {}
