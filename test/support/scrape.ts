/** The values of a scrape by name and labels, such as `offertory_gifts_total{type="Regular"}`. */
export type Scrape = Readonly<Record<string, number>>;

/** Reads the metrics, as Prometheus does. */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  if (response.status !== 200) throw new Error(`The scrape was answered with ${response.status}`);
  const samples = [...(await response.text()).matchAll(/^([a-z_]+(?:\{.*\})?) (\S+)$/gm)];
  return Object.fromEntries(samples.map(([, name = '', value]) => [name, Number(value)]));
}

/** The growth of our own counters, without unchanged ones. */
export function growth(before: Scrape, after: Scrape): Scrape {
  const grown = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([name, more]) => more !== 0 && /^offertory_\w+_total/.test(name)));
}
