import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';
import { FACT_NAMES, type NoticeFacts } from './notice-facts.js';

/** A notice before it is addressed to anybody. */
export interface NoticeText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A template cannot be used; the message names its file and what is wrong. */
export class NoticeTemplateError extends Error {
  override readonly name = 'NoticeTemplateError';
}

type Render = (facts: NoticeFacts) => string;

/** Where they are shipped. */
const SHIPPED = fileURLToPath(new URL('./templates/', import.meta.url));

const IN_SUBJECT = ['contributionId', 'amount', 'source'] as const;
const IN_BODY = FACT_NAMES;

/** The notice's three templates, read from files and checked once. */
export class NoticeTemplates {
  private readonly subject: Render;
  private readonly text: Render;
  private readonly html: Render;

  /** @throws NoticeTemplateError for a file that is missing, no template, names what is no fact, or leaves one out. */
  constructor(directory = SHIPPED) {
    this.subject = template(directory, 'reversal.subject.hbs', { noEscape: true }, IN_SUBJECT);
    this.text = template(directory, 'reversal.txt.hbs', { noEscape: true }, IN_BODY);
    this.html = template(directory, 'reversal.html.hbs', { noEscape: false }, IN_BODY);
  }

  /** The notice that says these facts; in HTML they are escaped. */
  render(facts: NoticeFacts): NoticeText {
    return { subject: this.subject(facts).trim(), text: this.text(facts), html: this.html(facts) };
  }
}

function template(
  directory: string,
  file: string,
  options: { readonly noEscape: boolean },
  needed: readonly (keyof NoticeFacts)[],
): Render {
  try {
    // Strict: a name that is no fact is a fault, and not an empty place in a mail.
    const render: Render = Handlebars.compile(readFileSync(`${directory}/${file}`, 'utf8'), {
      ...options,
      strict: true,
    });
    const said = options.noEscape ? String : Handlebars.escapeExpression;
    const sample = render(SAMPLE);
    const missing = needed.filter((name) => !sample.includes(said(SAMPLE[name])));
    if (missing.length > 0) throw new Error(`it does not say, or does not escape, ${missing.join(', ')}`);
    return render;
  } catch (error) {
    // Handlebars throws what is no Error.
    const { message } = error as { message: string };
    const [reason = ''] = message.split('\n');
    throw new NoticeTemplateError(`The template ${file} cannot be used: ${reason}`);
  }
}

/** A value for each fact that no other text holds, and that has to be escaped in HTML. */
const SAMPLE = Object.fromEntries(FACT_NAMES.map((name) => [name, `«<${name}>»`])) as NoticeFacts;
