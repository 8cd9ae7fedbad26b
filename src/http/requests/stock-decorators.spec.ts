import { expect, it } from '@jest/globals';
import { Body, Controller, Post, type Type, UseGuards } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Allow, IsEmail, IsOptional, Matches, ValidateIf } from 'class-validator';
import { OptionalField, RequiredField, RequiredWith } from './field.js';
import { email, text } from './fields.js';
import { JsonBodyGuard } from './json-body.guard.js';
import { StockDecorators } from './stock-decorators.js';

const ABOUT = { description: 'A field.', examples: ['a'] } as const;

/** Starts an application with one route whose body is of this class. */
async function startWith(request: Type): Promise<void> {
  @Controller('gifts')
  class GiftsController {
    @Post()
    @UseGuards(JsonBodyGuard)
    add(@Body() body: object): object {
      return body;
    }
  }
  Reflect.defineMetadata('design:paramtypes', [request], GiftsController.prototype, 'add');
  const module = await Test.createTestingModule({
    controllers: [GiftsController],
    providers: [StockDecorators],
  }).compile();
  await module.init();
  await module.close();
}

it('an application starts if its request class has our own decorators', async () => {
  class GiftRequest {
    @RequiredField(text(100), ABOUT)
    Name!: string;

    @OptionalField(email, ABOUT)
    @RequiredWith('Name')
    Email?: string;
  }
  await expect(startWith(GiftRequest)).resolves.toBeUndefined();
});

it('an application with decorators of class-validator does not start, and the error says what to use instead', async () => {
  class GiftRequest {
    @IsOptional()
    @RequiredField(text(100), ABOUT)
    Name?: string;

    @OptionalField(email, ABOUT)
    @IsEmail()
    Email?: string;

    @Matches(/^\d+$/)
    Zip?: string;
  }
  await expect(startWith(GiftRequest)).rejects.toThrow(
    [
      'GiftRequest.Name: @IsOptional() of class-validator does not work here. Use @OptionalField.',
      'GiftRequest.Email: @IsEmail() of class-validator does not work here. Use @RequiredField or @OptionalField with email.',
      'GiftRequest.Zip: @Matches() of class-validator does not work here. Use @RequiredField or @OptionalField with a fieldReader.',
    ].join('\n'),
  );
});

it.each([
  ['Allow', Allow()],
  ['ValidateIf', ValidateIf(() => false)],
])('%s, a decorator whose rule has no name, is detected as well', async (_name, decorate) => {
  class GiftRequest {
    @RequiredField(text(100), ABOUT)
    @decorate
    Name!: string;
  }
  await expect(startWith(GiftRequest)).rejects.toThrow('GiftRequest.Name: a decorator of class-validator');
});
