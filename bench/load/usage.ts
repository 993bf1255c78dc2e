import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server says of itself when it is asked: microseconds of CPU since its start, and its memory. */
export type Usage = { cpuUs: number; rssMB: number }

/** Tells the parent the port, and its own use of the CPU whenever it asks; ends with the parent. */
export const answerUsage = (server: Server): void => {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuUs: user + system, rssMB: process.memoryUsage.rss() / 2 ** 20 } satisfies Usage)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.((server.address() as AddressInfo).port)
}
