import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';
import { LINES, type NoticeFacts } from './notice-facts.js';

/** A notice without sender and recipient. */
export interface NoticeText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A template is invalid. The message names its file and the reason. */
export class NoticeTemplateError extends Error {
  override readonly name = 'NoticeTemplateError';
}

type Render = (facts: NoticeFacts) => string;

const TEMPLATE_DIRECTORY = fileURLToPath(new URL('./templates/', import.meta.url));

const SUBJECT_FACTS = ['contributionId', 'amount', 'source'] as const;
const BODY_FACTS = [...LINES, 'funds', 'advice'] as const;

/** The three templates of a notice, read from files and checked once. */
export class NoticeTemplates {
  private readonly subject: Render;
  private readonly text: Render;
  private readonly html: Render;

  /** @throws NoticeTemplateError if a file is missing or invalid, names an unknown variable, or omits a required one. */
  constructor(directory = TEMPLATE_DIRECTORY) {
    this.subject = loadTemplate(directory, 'reversal.subject.hbs', { noEscape: true }, SUBJECT_FACTS);
    this.text = loadTemplate(directory, 'reversal.txt.hbs', { noEscape: true }, BODY_FACTS);
    this.html = loadTemplate(directory, 'reversal.html.hbs', { noEscape: false }, BODY_FACTS);
  }

  /** Renders the notice with these values, which are escaped in HTML. */
  render(facts: NoticeFacts): NoticeText {
    return { subject: this.subject(facts).trim(), text: this.text(facts), html: this.html(facts) };
  }
}

function loadTemplate(
  directory: string,
  file: string,
  options: { readonly noEscape: boolean },
  required: readonly (typeof BODY_FACTS)[number][],
): Render {
  try {
    // Strict: an unknown variable is an error, instead of a gap in the mail.
    const render: Render = Handlebars.compile(readFileSync(`${directory}/${file}`, 'utf8'), {
      ...options,
      strict: true,
    });
    const escaped = options.noEscape ? String : Handlebars.escapeExpression;
    const samples = [true, false].map((isPartial) => render({ ...SAMPLE, isPartial }));
    const missing = required.filter((name) => {
      const value = escaped([SAMPLE[name]].flat().join());
      return !samples.every((sample) => sample.includes(value));
    });
    if (missing.length > 0) throw new Error(`it does not say, or does not escape, ${missing.join(', ')}`);
    return render;
  } catch (error) {
    // Handlebars throws objects that are not instances of Error.
    const { message } = error as { message: string };
    const [reason = ''] = message.split('\n');
    throw new NoticeTemplateError(`The template ${file} cannot be used: ${reason}`);
  }
}

/** A value for each variable that occurs nowhere else, and that must be escaped in HTML. */
const SAMPLE = {
  ...Object.fromEntries(LINES.map((name) => [name, `«<${name}>»`])),
  funds: ['«<funds>»'],
  advice: '«<advice>»',
} as unknown as NoticeFacts;
