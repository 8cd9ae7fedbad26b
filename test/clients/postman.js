// Makes a Postman collection of a document, and runs three of its requests: node postman.js DOCUMENT USER PASSWORD
import { readFileSync } from 'node:fs';
import newman from 'newman';
import converter from 'openapi-to-postmanv2';

const [, , document, username, password] = process.argv;
const REQUESTS = ['Record a gift', 'Reverse a gift, wholly or in part', 'Read a contribution'];

const collection = await collectionOf(readFileSync(document, 'utf8'));
const chosen = REQUESTS.map((name) => requestNamed(name, collection.item));
const [add, reverse, read] = chosen;
for (const { request } of chosen) {
  request.auth = {
    type: 'basic',
    basic: [
      { key: 'username', value: username },
      { key: 'password', value: password },
    ],
  };
  // A person who uses the collection ticks the parameters that are wanted. Those of the path are always needed.
  for (const one of [...(request.url.query ?? []), ...request.header]) {
    if (one.key !== 'Content-Type' && one.key !== 'Accept') one.disabled = true;
  }
  for (const one of request.url.variable ?? []) one.value = `{{${one.key}}}`;
}
add.event = [
  {
    listen: 'test',
    script: { exec: ["pm.collectionVariables.set('id', String(pm.response.json().ContributionId));"] },
  },
];

const { failures, executions } = await run({
  ...collection,
  item: [add, reverse, { ...reverse, id: 'again' }, read],
  variable: [...(collection.variable ?? []), { key: 'source', value: 'client' }, { key: 'id', value: '0' }],
});
if (failures.length > 0) throw new Error(failures.map(({ error }) => error.message).join('\n'));
const [added, reversed, again, shown] = executions.map(({ response }) => JSON.parse(response.stream.toString()));
console.log(
  JSON.stringify({
    id: added.ContributionId,
    operation: reversed.operation,
    refusal: again.code,
    amount: shown.amount,
    by: shown.reversal?.by,
    status: shown.status,
  }),
);

/** Requests are named by their summaries. */
function requestNamed(name, items) {
  const all = (list) => list.flatMap((one) => (one.item === undefined ? [one] : all(one.item)));
  const found = all(items).find((one) => one.name === name);
  if (found === undefined) throw new Error(`The collection has no request "${name}"`);
  return { name: found.name, request: found.request };
}

function collectionOf(data) {
  return new Promise((resolve, reject) => {
    const options = { requestParametersResolution: 'Example', folderStrategy: 'Tags' };
    converter.convert({ type: 'string', data }, options, (error, { result, reason, output } = {}) => {
      if (error ?? !result) reject(error ?? new Error(reason));
      else resolve(output[0].data);
    });
  });
}

function run(collection) {
  return new Promise((resolve, reject) => {
    newman.run({ collection, reporters: [] }, (error, summary) => {
      if (error) reject(error);
      else resolve(summary.run);
    });
  });
}
