import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TYPES = {
  'console.css': 'text/css; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml; charset=utf-8',
} as const;

/** The names of all files that pages load. A path is never built from a requested name. */
type AssetName = keyof typeof TYPES;

/** A file that pages load. */
export interface Asset {
  readonly content: Buffer;
  readonly type: string;
}

/** All files by their names in an address, which contain a hash of the content. So browsers may keep each one for ever. */
const FILES = new Map<string, Asset>();
const ADDRESSES = new Map<AssetName, string>();
for (const name of Object.keys(TYPES) as AssetName[]) {
  const content = readFileSync(fileURLToPath(new URL(`files/${name}`, import.meta.url)));
  const [stem = '', extension = ''] = name.split('.');
  const hashed = `${stem}.${createHash('sha256').update(content).digest('hex').slice(0, 16)}.${extension}`;
  FILES.set(hashed, { content, type: TYPES[name] });
  ADDRESSES.set(name, hashed);
}

/** The file with this name in an address; undefined if there is none. */
export function assetFile(hashed: string): Asset | undefined {
  return FILES.get(hashed);
}

/** Where a file is, relative to the root of the service. */
export function assetPath(name: AssetName): string {
  return `console/assets/${ADDRESSES.get(name) ?? ''}`;
}
