/**
 * Orders paid out by a running server through a network that lies, answers late and repeats itself, while the server is killed now
 * and then and customers pay: `npm run storm -- --orders 500 --seed 7`. At the end the network's own record is compared with the books.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildServer } from '../../build/server.ts'
import { base } from '../../core/contract/endpoint.ts'
import { randomFrom } from '../../server/demo/random.ts'
import { type Books, officerToken, orderNo, type Progress, payCode, type Waiting, wallet } from './books.ts'
import { judge, type Movement } from './oracle.ts'

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '500' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    kills: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
})
const [count, seed] = [Number(values.orders), Number(values.seed)]
const kills = Number(values.kills ?? Math.min(20, Math.ceil(count / 200)))
const random = randomFrom(seed)
const began = Date.now()
const seconds = () => ((Date.now() - began) / 1000).toFixed(1)
const say = (line: string) => process.stdout.write(`${line}\n`)
const note = (line: string) => !values.quiet && say(`${seconds().padStart(7)} s  ${line}`)

const home = mkdtempSync(path.join(os.tmpdir(), 'mkopo-storm-'))
const root = fileURLToPath(new URL('../..', import.meta.url))
/** Built once for all the starts of a storm; below the packages that it needs. */
const programs = path.join(root, '.cache', `storm-${process.pid}`)
await buildServer(root, programs, { more: { storm: 'tests/storm/server.ts' } })
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })

/** Starts a built program and resolves when it has said its first line. */
const start = (program: string, env: Record<string, string>): Promise<{ child: ChildProcess; line: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(programs, `${program}.js`)], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout?.once('data', (said: Buffer) => resolve({ child, line: String(said).split('\n')[0] as string }))
    child.once('exit', code => reject(new Error(`${program} ended with ${code}`)))
  })
const ended = (child: ChildProcess, signal: NodeJS.Signals): Promise<void> =>
  new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill(signal)
  })

const ports = { server: await freePort(), control: await freePort() }
const network = await start('simulator-momo', {
  PORT: '0',
  DATA_DIR: path.join(home, 'momo'),
  SPEED: '5',
  SEED: String(seed),
  OPENING_BALANCE: '90000000000',
  CALLBACK_URL: `http://127.0.0.1:${ports.server}${base}/callback/pay/mtn_momo`,
})
const momo = `http://127.0.0.1:${(JSON.parse(network.line) as { listening: number }).listening}`
let server = await start('storm', serverEnv())
function serverEnv() {
  return {
    PORT: String(ports.server),
    CONTROL_PORT: String(ports.control),
    DATA_DIR: path.join(home, 'data'),
    DATABASE_URL: process.env.DATABASE_URL ?? '',
    MOMO_URL: momo,
  }
}

const post = async <T>(url: string, body: object, headers: Record<string, string> = {}): Promise<T> => {
  const answer = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`)
  return JSON.parse(text) as T
}
const ask = <T>(deed: string, given: object = {}) => post<T>(`http://127.0.0.1:${ports.control}/${deed}`, given)

/** kill -9, and up again on the same directory. */
const crash = async () => {
  await ended(server.child, 'SIGKILL')
  server = await start('storm', serverEnv())
  note('the server was killed, and is up again')
}

/** Staff send failed payouts once more. */
const retry = async (codes: readonly string[]) => {
  for (let first = 0; first < codes.length; first += 100)
    await post(
      `http://127.0.0.1:${ports.server}${base}/payManage/loan/retry`,
      { loanCodes: codes.slice(first, first + 100), accountChecked: true },
      { token: officerToken, 'idempotency-key': crypto.randomUUID() },
    )
}

/** A customer pays some of what is owed, or more. */
const payIn = (n: number) =>
  post(`${momo}/_sim/pay-in`, { reference: payCode(n), payer: wallet(n), amount: random.int(1, 70) * 1000 })

/** Waits until nothing is due any more. */
const calm = async (most = 1_800_000): Promise<Progress> => {
  const until = Date.now() + most
  for (;;) {
    await pause(250)
    const { jobs, dueAsks } = await ask<Waiting>('waiting')
    if (jobs === 0 && dueAsks === 0) return ask<Progress>('progress')
    if (dueAsks > 0 && jobs === 0) await ask('clock', { seconds: 16 })
    if (Date.now() > until) throw new Error(`the storm does not calm down: ${jobs} jobs, ${dueAsks} questions`)
  }
}

/** Time passes for everybody. */
const pass = async (span: number) => {
  await post(`${momo}/_sim/clock`, { seconds: span })
  await ask('clock', { seconds: span })
  return calm()
}

const isPaying = new Set<string>()
const payments = async (disbursed: readonly string[], share: number) => {
  let made = 0
  const open = new Set(disbursed)
  for (let n = 1; n <= count; n++) {
    if (!open.has(orderNo(n)) || isPaying.has(orderNo(n)) || !random.chance(share)) continue
    isPaying.add(orderNo(n))
    await payIn(n)
    made += 1
  }
  note(`${made} customers pay`)
}

const storm = async (): Promise<boolean> => {
  await ask('furnish', { money: '90000000000.00' })
  const chunk = 50
  const crashes = new Set(Array.from({ length: kills }, () => random.int(1, Math.ceil(count / chunk)) * chunk))
  for (let made = 0; made < count; made += chunk) {
    await ask('orders', { from: made + 1, count: Math.min(chunk, count - made) })
    if (crashes.has(made + chunk)) await crash()
    if (count > 1000 && made % 1000 === 0) note(`${made} orders`)
  }
  let now = await calm()
  note(`${count} orders were sent: ${JSON.stringify(now.codes)}`)
  await payments(now.disbursed, 0.4)
  for (const span of [61, 61, 200]) now = await pass(span)
  await retry(now.failed)
  now = await calm()
  await crash()
  for (const span of [300, 1300]) now = await pass(span)
  await retry(now.failed)
  await calm()
  now = await pass(3700)
  await payments(now.disbursed, 0.4)
  await retry(now.failed)
  await calm()
  for (const span of [3700, 25 * 3600, 1900, 3700]) now = await pass(span)
  await retry(now.failed)
  for (const span of [61, 61, 200, 3700, 26 * 3600, 1900, 3700, 3700]) now = await pass(span)
  note(`calm: ${JSON.stringify({ codes: now.codes, sends: now.attempts, dead: now.dead })}`)

  const { movements } = (await (await fetch(`${momo}/_sim/truth`)).json()) as { movements: Movement[] }
  const books = await ask<Books>('books')
  const verdict = judge(movements, books)
  const broken = await ask<unknown[]>('broken')
  const wrong = [...verdict.wrong, ...(now.dead > 0 ? [`${now.dead} jobs were set aside`] : [])]
  for (const one of wrong.slice(0, 40)) say(`WRONG   ${one}`)
  for (const one of broken) say(`BROKEN  ${JSON.stringify(one)}`)
  const { payouts, exceptions, openDifferences, payIns, repeatedSerials } = verdict
  say(
    `${count} orders, ${movements.length} movements: ${payouts} payouts, ${exceptions} held apart as exceptions, ${openDifferences} open differences, ${payIns} payments received (${repeatedSerials} under a repeated number); ${wrong.length} wrong, ${broken.length} invariants broken; news ${JSON.stringify(books.heard)}; seed ${seed}, ${kills + 1} kills, ${seconds()} s`,
  )
  if (wrong.length + broken.length > 0) say(`again: npm run storm -- --orders ${count} --seed ${seed}`)
  return wrong.length + broken.length === 0
}

let isGood = false
try {
  isGood = await storm()
} finally {
  await ended(server.child, 'SIGTERM')
  await ended(network.child, 'SIGTERM')
  for (const dir of [home, programs]) rmSync(dir, { recursive: true, force: true })
}
process.exitCode = isGood ? 0 : 1
