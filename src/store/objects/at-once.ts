/** Runs work for each item, several at a time. The first failure ends it. */
export async function eachAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  let hasFailed = false;
  const run = async () => {
    for (const item of rest) {
      if (hasFailed) return;
      await work(item).catch((error) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const runs = Array.from({ length: Math.min(atOnce, items.length) }, run);
  const failed = (await Promise.allSettled(runs)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
