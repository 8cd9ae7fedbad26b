import { rm } from 'node:fs/promises';
import { MIMEType } from 'node:util';
import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { makeTemporaryDirectory } from '../../temporary-files/index.js';
import { isUnderConsole } from '../areas.js';
import { onceHandled } from '../observing/handled-requests.js';
import { UnsupportedMediaTypeError } from '../problems/errors.js';
import { assertFileSize, receiveBody, receiveForm } from './receive-file.js';
import { type RequestWithFile, takesFile } from './sent-file.js';

const FORM = 'multipart/form-data';
export const CSV_FILE = 'text/csv';

/**
 * Receives the file of a route with `@TakesFile()` onto the disk, so that it takes no memory. Runs after the guards of
 * access and of the form token, so that files of others are not read.
 */
@Injectable()
export class FileBodyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!takesFile(context.getHandler())) return true;
    const request = context.switchToHttp().getRequest<RequestWithFile>();
    const isForm = isUnderConsole((request.route as { readonly path: string }).path);
    assertType(request, isForm ? FORM : CSV_FILE);
    assertFileSize(request.headers['content-length']);
    const directory = await makeTemporaryDirectory();
    onceHandled(context.switchToHttp().getResponse<Response>(), () => {
      void rm(directory, { recursive: true, force: true }).catch(() => undefined);
    });
    request.sentFile = isForm ? await receiveForm(context, directory) : await receiveBody(request, directory);
    return true;
  }
}

function assertType({ headers }: RequestWithFile, wanted: string): void {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  try {
    if (encoding === 'identity' && new MIMEType(type).essence === wanted) return;
  } catch {
    // Not a media type: answered like an unsupported one.
  }
  throw new UnsupportedMediaTypeError(`The file must be sent as Content-Type: ${wanted}, without Content-Encoding.`);
}
