import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from '@nestjs/common';
import { HttpException, PayloadTooLargeException } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { EMPTY } from 'rxjs';
import { InvalidRequestError, PayloadTooLargeError } from '../problems/errors.js';
import type { Query } from '../requests/query.js';
import { MAX_FILE_MEGABYTES, type RequestWithFile, type SentFile } from './sent-file.js';

const MAX_BYTES = MAX_FILE_MEGABYTES * 1024 * 1024;
/** For the other fields of a form, and what is between them. */
const MAX_BYTES_AROUND = 64 * 1024;
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 2_000;

/** The name of the field in forms. */
const FIELD = 'file';

/** Checked before anything is read. @throws PayloadTooLargeError */
export function assertFileSize(contentLength = '0'): void {
  if (Number(contentLength) > MAX_BYTES + MAX_BYTES_AROUND) throw fileTooLarge();
}

/**
 * Receives the form of a page, whose other fields become the body.
 * @returns undefined if no file was chosen. @throws PayloadTooLargeError, InvalidRequestError
 */
export async function receiveForm(context: ExecutionContext, directory: string): Promise<SentFile | undefined> {
  const request = context.switchToHttp().getRequest<RequestWithFile>();
  const FormReader = FileInterceptor(FIELD, {
    dest: directory,
    defParamCharset: 'utf8',
    limits: {
      ...{ fileSize: MAX_BYTES, files: 1, fields: MAX_FIELDS, parts: MAX_FIELDS + 1 },
      ...{ fieldSize: MAX_FIELD_BYTES, headerPairs: 20 },
    },
  });
  try {
    await new FormReader().intercept(context, { handle: () => EMPTY });
  } catch (error) {
    throw asExpected(error, request);
  }
  request.body = textsOf(request.body);
  const { file } = request as { file?: { path: string; originalname: string; size: number } };
  return file && { path: file.path, name: file.originalname, size: file.size };
}

/** Receives a body that is a file. @throws PayloadTooLargeError, InvalidRequestError */
export async function receiveBody(request: RequestWithFile, directory: string): Promise<SentFile> {
  const path = join(directory, 'body');
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  try {
    // If the request were destroyed, its sender would not get the answer.
    for await (const bytes of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += bytes.length;
      if (size > MAX_BYTES) throw fileTooLarge();
      await file.appendFile(bytes);
    }
  } catch (error) {
    throw asExpected(error, request);
  } finally {
    await file.close();
  }
  return { path, name: undefined, size };
}

function fileTooLarge(): PayloadTooLargeError {
  return new PayloadTooLargeError(`The file must be at most ${MAX_FILE_MEGABYTES} MB. Divide it into several files.`);
}

function asExpected(error: unknown, request: RequestWithFile): unknown {
  if (error instanceof HttpException) {
    return error instanceof PayloadTooLargeException
      ? fileTooLarge()
      : new InvalidRequestError('The form with the file cannot be read.');
  }
  return request.complete ? error : new InvalidRequestError('The file did not arrive whole.');
}

/** The fields that are texts. Names with brackets would make objects. */
function textsOf(body: unknown): Query {
  const fields = Object.entries((body ?? {}) as Readonly<Record<string, unknown>>);
  const texts = fields.filter(
    (field): field is [string, string | string[]] =>
      typeof field[1] === 'string' || (Array.isArray(field[1]) && field[1].every((each) => typeof each === 'string')),
  );
  return Object.assign(Object.create(null) as object, Object.fromEntries(texts));
}
