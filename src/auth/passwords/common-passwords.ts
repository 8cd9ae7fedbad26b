let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether many people use this password: one of the 49,000 in the list of zxcvbn (18,000 of them are long enough), whatever its
 * letter case. The list is read when the first password is set, because it takes five megabytes.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= readList();
  return (await common).has(password.toLowerCase());
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
