/** Waits that can be cut short, so that stopping never has to sit one out. */
export class Pause {
  private end: (() => void) | undefined;

  /** Resolves after `milliseconds`, or when {@link cut} is called. */
  async take(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.end = undefined;
  }

  cut(): void {
    this.end?.();
  }
}

/** Waits for `work`, but no longer than `milliseconds`; what it rejects with is for those who started it. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const pause = new Pause();
  await Promise.race([work.catch(() => undefined), pause.take(milliseconds)]);
  pause.cut();
}
