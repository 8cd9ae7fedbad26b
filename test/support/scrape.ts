/** What a scrape tells: by name and labels, `offertory_gifts_total{type="Regular"}`, as Prometheus reads it. */
export type Scrape = Readonly<Record<string, number>>;

/** Asks for the figures, as Prometheus does. */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  if (response.status !== 200) throw new Error(`The scrape was answered with ${response.status}`);
  const samples = [...(await response.text()).matchAll(/^([a-z_]+(?:\{.*\})?) (\S+)$/gm)];
  return Object.fromEntries(samples.map(([, name = '', value]) => [name, Number(value)]));
}

/** How much these figures of our own have grown; those that have not are left out. */
export function growth(before: Scrape, after: Scrape): Scrape {
  const grown = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([name, more]) => more !== 0 && /^offertory_\w+_total/.test(name)));
}
