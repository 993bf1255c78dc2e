/** How long something takes, in seconds. */
export const seconds = async (act: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await act()
  return (performance.now() - started) / 1000
}

/** The most memory that this process holds while something runs, above what it held before, in MB. */
export const watched = async (act: () => Promise<unknown>): Promise<number> => {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  await act().finally(() => clearInterval(timer))
  return (most - before) / 2 ** 20
}
