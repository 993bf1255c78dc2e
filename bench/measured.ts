import { readdirSync, readFileSync } from 'node:fs'

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

/** Processor time that the server processes of a database on this machine have used, in seconds; `pid` is one of its backends. */
const databaseCpu = (pid: number): number => {
  if (pid === 0) return 0
  const fields = (of: string) =>
    readFileSync(`/proc/${of}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
  const parent = fields(String(pid))[1]
  let ticks = 0
  for (const one of readdirSync('/proc').filter(name => /^\d+$/.test(name)))
    try {
      const own = fields(one)
      // Of a postmaster all, those that have gone included; of a backend what it did itself.
      if (one === parent || own[1] === parent)
        ticks += own.slice(11, one === parent ? 15 : 13).reduce((all, n) => all + Number(n), 0)
    } catch {}
  return ticks / 100
}

/** Processor seconds of this process and of the database while something runs: what does not depend on who else is at work. */
export const cpuOf = async (pid: number, act: () => Promise<unknown>): Promise<{ own: number; database: number }> => {
  const [before, used] = [databaseCpu(pid), process.cpuUsage()]
  await act()
  const { user, system } = process.cpuUsage(used)
  return { own: (user + system) / 1e6, database: databaseCpu(pid) - before }
}
