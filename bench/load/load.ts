import { type ChildProcess, fork } from 'node:child_process'
import http from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Usage } from './usage.ts'

/** A server under load: its port, what it says of itself, and how it ends. */
export type Served = { port: number; usage: () => Promise<Usage>; stop: () => void }

const nextMessage = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the server ended with ${code}`))
    child.once('exit', ended)
    child.once('message', message => {
      child.off('exit', ended)
      resolve(message as T)
    })
  })

/** Starts one of the servers of this folder on a database. */
export const started = async (name: 'product' | 'bare', url: string, port = 0): Promise<Served> => {
  const program = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const child = fork(program, [url, String(port)], { execArgv: [...process.execArgv] })
  const at = await nextMessage<number>(child)
  const usage = async () => {
    const answer = nextMessage<Usage>(child)
    child.send('usage')
    return answer
  }
  return { port: at, usage, stop: () => child.disconnect() }
}

/** Calls a second, the median and the 99th percentile in ms, and the server's CPU in microseconds a call. */
export type Burst = { perSecond: number; p50: number; p99: number; cpuUs: number; bytes: number }
export type Call = { path: string; headers: Record<string, string>; bodies: readonly string[] }

/** Some clients that each ask again as soon as they are answered. @throws when an answer is not of code 0 */
export const burst = async (served: Served, call: Call, clients: number, seconds: number): Promise<Burst> => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients })
  const times: number[] = []
  let [bytes, next] = [0, 0]
  const headers = { 'content-type': 'application/json', ...call.headers }
  const ask = (body: string) =>
    new Promise<void>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: served.port, path: call.path, method: 'POST', agent }
      const length = { 'content-length': String(Buffer.byteLength(body)) }
      const request = http.request({ ...options, headers: { ...headers, ...length } }, response => {
        let [size, beginning] = [0, '']
        response.on('data', (part: Buffer) => {
          if (size === 0) beginning = part.toString('utf8', 0, 200)
          size += part.length
        })
        response.on('end', () => {
          bytes += size
          if (response.statusCode === 200 && beginning.startsWith('{"code":0')) resolve()
          else reject(new Error(`${response.statusCode} ${beginning}`))
        })
      })
      request.on('error', reject).end(body)
    })
  const end = performance.now() + seconds * 1000
  const before = await served.usage()
  const begun = performance.now()
  const client = async () => {
    while (performance.now() < end) {
      const asked = performance.now()
      await ask(call.bodies[next++ % call.bodies.length] as string)
      times.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const took = (performance.now() - begun) / 1000
  const after = await served.usage()
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  const count = times.length
  return {
    perSecond: count / took,
    p50: at(0.5),
    p99: at(0.99),
    cpuUs: (after.cpuUs - before.cpuUs) / count,
    bytes: bytes / count,
  }
}
