/** A command about notices is refused. The message says why. */
export class NoticeCommandError extends Error {}
