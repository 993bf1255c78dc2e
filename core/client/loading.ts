let running = 0
const listeners = new Set<() => void>()

const change = (by: number) => {
  running += by
  for (const listener of [...listeners]) listener()
}

/** Counts running requests; the loading indicator of the page stays until the last one has ended. */
export const counted = async <T>(work: Promise<T>): Promise<T> => {
  change(1)
  try {
    return await work
  } finally {
    change(-1)
  }
}

/** Whether any call in the foreground is running: a store for `useSyncExternalStore`. */
export const loadingStore = {
  read: () => running > 0,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
