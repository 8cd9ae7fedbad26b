import { Body, Controller, Get, HttpCode, Module, Param, Post, Res } from '@nestjs/common';
import { expect, it } from '@jest/globals';
import type { Response } from 'express';
import { Public } from '../../src/auth/index.js';
import { fieldReader, Operation, OptionalField, Property } from '../../src/http/index.js';
import { startTestApp } from './test-app.js';
import { read } from '../../src/values/index.js';

class Told {
  @Property({ type: 'integer' }, { description: 'A number.', examples: [1] })
  readonly number!: number;
}

const anything = fieldReader({ type: 'string' }, (value) => read(value));

const lenient = fieldReader({ type: 'string' }, (value) => read(value), {
  schema: { type: ['string', 'integer'] },
  words: 'An integer is accepted too.',
});

class Part {
  @OptionalField(anything, { description: 'Said to be text.', examples: ['a'] })
  Field?: unknown;
}

class Asked extends Part {
  @OptionalField(lenient, { description: 'Text.', examples: ['a'] })
  Lenient?: unknown;

  @OptionalField(
    Object.assign(
      fieldReader({ type: 'array' }, (value) => read(value)),
      { itemsAre: Part, acceptsObjects: true },
    ),
    {
      description: 'Parts.',
      examples: [[{ Field: 'a' }]],
    },
  )
  Parts?: unknown;
}

const OPERATION = {
  group: { name: 'Lies', description: 'Routes of this test.', position: 9 },
  summary: 'Does not keep to what it says',
  answer: Told,
} as const;

/** Routes that break the document in several ways. */
@Controller('lies')
@Public()
class Lies {
  @Get('answer/:kind')
  @Operation({ ...OPERATION, id: 'LyingAnswer' })
  answer(@Param('kind') kind: string, @Res({ passthrough: true }) response: Response): object {
    if (kind === 'status') response.status(202);
    if (kind === 'header') response.removeHeader('X-Request-Id');
    if (kind === 'type') return { number: '1' };
    return kind === 'field' ? { number: 1, more: 2 } : kind === 'missing' ? {} : { number: 1 };
  }

  @Post('request')
  @HttpCode(200)
  @Operation({ ...OPERATION, id: 'LyingRequest' })
  request(@Body() asked: Asked): Told {
    return { number: Object.keys(asked).length };
  }
}

@Module({ controllers: [Lies] })
class LyingModule {}

/** The error of stopping the service after this call, or "nothing". */
async function afterCalling(path: string, body?: object): Promise<string> {
  const app = await startTestApp({}, { modules: [{ module: LyingModule }] });
  const call = body === undefined ? app.http().get(path) : app.http().post(path).send(body);
  expect((await call).status).toBeLessThan(300);
  return app.stop().then(
    () => 'nothing',
    (error: unknown) => String(error),
  );
}

it.each([
  ['matches the document', 'answer/true', undefined, /^nothing$/],
  ['has an undocumented field', 'answer/field', undefined, /must NOT have additional properties.*more/],
  ['lacks a field', 'answer/missing', undefined, /must have required property 'number'/],
  ['has a field of another type', 'answer/type', undefined, /\/number must be integer/],
  ['has an undocumented status', 'answer/status', undefined, /answered 202: this status is not documented/],
  ['is to an undocumented parameter', 'answer/true?More=1', undefined, /the parameter more is not documented/],
  ['lacks a header', 'answer/header', undefined, /the header X-Request-Id is missing/],
  ['is to a documented request in any letter case', 'request', { FIELD: ' a ', other: 1 }, /^nothing$/],
  ['is to a request that should have been refused', 'request', { Field: 5 }, /the body \/Field must be string/],
  ['is to a request in a form that the document has in words', 'request', { Lenient: 5 }, /^nothing$/],
  ['is to a request in a form that it does not have', 'request', { Lenient: true }, /\/Lenient must be string,integer/],
  ['is to a request with an object in any letter case', 'request', { parts: [{ FIELD: 'a ' }] }, /^nothing$/],
  [
    'is to a request with an object to be refused',
    'request',
    { Parts: [{ Field: 5 }] },
    /\/Parts\/0\/Field must be string/,
  ],
])('the check notices whether an answer %s', async (_what, path, body, message) => {
  expect(await afterCalling(`/lies/${path}`, body)).toMatch(message);
});
