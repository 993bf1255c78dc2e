/** What happens some seconds from now, or sooner where time runs `speed` times as fast; nothing of it holds the process up. */
export const openSoon = (speed: number) => {
  const timers = new Set<NodeJS.Timeout>()
  return {
    soon(seconds: number, work: () => void) {
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          work()
        },
        (seconds * 1000) / speed,
      ).unref()
      timers.add(timer)
    },
    /** Nothing more of it happens. */
    forget() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
