import { createHash } from 'node:crypto'

/** What this process calculates during `act`, in microseconds: waiting, and what else the machine does, do not count. */
const effort = async (act: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

const measured = async () => {
  const bytes = Buffer.alloc(64 * 1_048_576)
  const hash = () => createHash('sha256').update(bytes).digest()
  return Math.max(await effort(hash), await effort(hash), await effort(hash))
}
let yardstick: Promise<number> | undefined

/** How many times the effort of hashing 64 megabytes, measured once in this process, `act` takes. */
export const yardsticks = async (act: () => unknown): Promise<number> => {
  yardstick ??= measured()
  const one = await yardstick
  return (await effort(act)) / one
}
