import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The largest file that a route takes. */
export const MAX_FILE_MEGABYTES = 20;

/** A file that was sent with a request. It is deleted when the request has been handled. */
export interface SentFile {
  /** Where it is, in a directory of its own that only this process may read. */
  readonly path: string;
  /** The name that the browser gives it; undefined if there is none. */
  readonly name: string | undefined;
  /** In bytes. */
  readonly size: number;
}

const TAKES_FILE = Symbol('takes a file');

/**
 * A route that takes a file: under /console the field `file` of a form in multipart/form-data, under /Api the whole body
 * as text/csv. It is received after all checks of access and before the turn of the call. A handler gets it by
 * {@link FileOfRequest}. The form of the page must name `takesFile`.
 */
export function TakesFile(): MethodDecorator {
  return (_target, _name, descriptor) => {
    Reflect.defineMetadata(TAKES_FILE, true, descriptor.value as object);
    return descriptor;
  };
}

/** Whether a handler takes a file. */
export function takesFile(handler: object): boolean {
  return Reflect.getMetadata(TAKES_FILE, handler) === true;
}

/** Injects the {@link SentFile} into a parameter of a handler; undefined if a form was sent without one. */
export const FileOfRequest = createParamDecorator((_data: unknown, context: ExecutionContext): SentFile | undefined => {
  return context.switchToHttp().getRequest<RequestWithFile>().sentFile;
});

/** A request whose file has been received. */
export interface RequestWithFile extends Request {
  sentFile?: SentFile | undefined;
}
