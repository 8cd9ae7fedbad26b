// Generates with orval: node orval.js DOCUMENT OUTPUT fetch|zod
import { generate } from 'orval';

const [, , document, target, client] = process.argv;

await generate({
  input: document,
  output: { target, client, mode: 'single', baseUrl: { getBaseUrlFromSpecification: true } },
});
