import { createHash } from 'node:crypto';

/** A statement that is sent for every gift. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Makes each connection parse and plan a statement only once. `text` must be a constant. The name is a hash of the
 * text, so that two statements never have the same name.
 */
export function prepared(text: string): PreparedStatement {
  return { name: createHash('sha256').update(text).digest('base64url'), text };
}

/**
 * SQL for the array of a parameter, `arrayParameter('$1', 'text')`, for a prepared statement. The planner counts the
 * elements of a given array, but expects ten of a parameter. So the plan that it could keep seems dearer than one for
 * the few given values, and it plans the statement every time. It never looks into this subquery.
 */
export function arrayParameter(parameter: string, type: 'text' | 'integer'): string {
  // Without the second cast, "= ANY (SELECT …)" would compare with the rows of the subquery.
  return `(SELECT ${parameter}::${type}[])::${type}[]`;
}

/** A prepared statement whose parameters have names. */
export interface NamedStatement<Parameters extends object> extends PreparedStatement {
  /** The values in the order of the text's `$1`, `$2`, … */
  values(parameters: Parameters): unknown[];
}

/** {@link prepared} with `:amount` in the text for the parameter `amount`. Casts such as `::integer` do not count. */
export function preparedWithNames<Parameters extends object>(text: string): NamedStatement<Parameters> {
  const names: (keyof Parameters)[] = [];
  const numbered = text.replaceAll(/(?<!:):([a-z]\w*)/gi, (_all, name) => {
    if (!names.includes(name as keyof Parameters)) names.push(name as keyof Parameters);
    return `$${names.indexOf(name as keyof Parameters) + 1}`;
  });
  return { ...prepared(numbered), values: (parameters) => names.map((name) => valueOf(parameters, name)) };
}

/** A name that is misspelled in the text must not become NULL: a gift would go to the default fund. */
function valueOf<Parameters extends object>(parameters: Parameters, name: keyof Parameters): unknown {
  if (!(name in parameters)) throw new Error(`The statement has a parameter "${String(name)}" without a value`);
  return parameters[name];
}
