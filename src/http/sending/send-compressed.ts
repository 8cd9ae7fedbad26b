import { StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CODINGS, type Compressible } from './compressible.js';

/** Sends a file in the best coding that the caller accepts. */
export async function sendCompressed(
  file: Compressible,
  request: Request,
  response: Response,
): Promise<StreamableFile> {
  const accepted = request.acceptsEncodings([...CODINGS]);
  const coding = CODINGS.find((one) => one === accepted);
  response.vary('Accept-Encoding');
  if (coding !== undefined) response.setHeader('Content-Encoding', coding);
  const content = await file.in(coding);
  return new StreamableFile(content, { type: file.type, length: content.length });
}
