const sliceTime = 10;

/**
 * Does long work in slices, between which the page stays usable. `step` does a little of it, and returns whether there is more; the work
 * ends early once the signal is aborted.
 */
export async function inSlices(step: () => boolean, signal: AbortSignal, report: () => void): Promise<boolean> {
  for (;;) {
    const end = performance.now() + sliceTime;
    do {
      if (!step()) {
        return true;
      }
    } while (performance.now() < end);
    report();
    await pause();
    if (signal.aborted) {
      return false;
    }
  }
}

/** Lets the page do what waits: a message comes sooner than a timer. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}
