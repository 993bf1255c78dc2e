/**
 * The product under steady, mixed load: lists, details and commands, `npm run soak -- --minutes 10 --seed 7`. It fails on any answer
 * that is an internal error, and on memory that keeps growing once it is warm.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { contract, endpoints } from '../../core/contract/contract.ts'
import { base, type Endpoint, type Envelope, type InputOf, type OutputOf } from '../../core/contract/endpoint.ts'
import { demoPassword } from '../../server/demo/accounts.ts'
import { demoCodeAt } from '../../server/demo/authenticators.ts'
import { randomFrom } from '../../server/demo/random.ts'
import { percentile, slopeOf } from './figures.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    orders: { type: 'string', default: '500' },
    clients: { type: 'string', default: '8' },
    rate: { type: 'string', default: '100' },
    growth: { type: 'string', default: '1' },
  },
})
const [minutes, seed, clients, rate] = [values.minutes, values.seed, values.clients, values.rate].map(Number) as [
  number,
  number,
  number,
  number,
]
const { repay, loan, signIn: steps } = contract
const say = (line: string) => process.stdout.write(`${line}\n`)

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })

const home = mkdtempSync(path.join(os.tmpdir(), 'mkopo-soak-'))
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const built = fileURLToPath(new URL('../../dist/server/index.js', import.meta.url))
const source = fileURLToPath(new URL('../../server/index.ts', import.meta.url))
const server = spawn(process.execPath, existsSync(built) ? [built] : ['--import', 'tsx', source], {
  env: {
    ...process.env,
    PORT: String(port),
    DATA_DIR: path.join(home, 'data'),
    MKOPO_DEMO: '1',
    MKOPO_DEMO_ORDERS: values.orders,
    LOG_LEVEL: 'error',
    NODE_ENV: '',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
})
const gone = new Promise<void>(resolve => server.once('exit', () => resolve()))

type Kind = 'list' | 'detail' | 'command'
const took: Record<Kind, number[]> = { list: [], detail: [], command: [] }
const answers = new Map<number, number>()
const faults: string[] = []

const call = async <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  token: string,
): Promise<Envelope<OutputOf<E>> & { milliseconds: number }> => {
  const given = { ...(input as Record<string, unknown>) }
  const where = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(given[name])
    delete given[name]
    return encodeURIComponent(value)
  })
  const isGet = endpoint.method === 'GET'
  const query = isGet && Object.keys(given).length > 0 ? `?${new URLSearchParams(given as Record<string, string>)}` : ''
  const started = performance.now()
  const answer = await fetch(`${url}${base}${where}${query}`, {
    method: endpoint.method,
    headers: { 'content-type': 'application/json', token, language: 'en', 'idempotency-key': crypto.randomUUID() },
    ...(isGet ? {} : { body: JSON.stringify(given) }),
  })
  const text = await answer.text()
  const milliseconds = performance.now() - started
  const body = JSON.parse(text) as Envelope<OutputOf<E>>
  answers.set(body.code, (answers.get(body.code) ?? 0) + 1)
  if (answer.status >= 500 || body.code === 50001)
    faults.push(`${endpoint.path}: ${answer.status} ${text.slice(0, 200)}`)
  return { ...body, milliseconds }
}

const signIn = async (username: string): Promise<string> => {
  const { challengeId } = (await call(steps.challenge, { username }, '')).data
  await call(steps.login, { challengeId, username, password: demoPassword }, '')
  const { code } = demoCodeAt(new Date())
  const signed = await call(steps.verifyMfa, { challengeId, code }, '')
  if (signed.code !== 0 || signed.data.nextStep !== 'done') throw new Error(`${username} cannot sign in: ${signed.msg}`)
  return signed.data.token
}

/** What the process says of itself. */
const vitals = async () => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const of = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    memory: of('process_resident_memory_bytes') / 1_048_576,
    heap: of('nodejs_heap_size_used_bytes') / 1_048_576,
    delay: of('nodejs_eventloop_lag_p99_seconds') * 1000,
    open: of('nodejs_active_resources_total'),
  }
}

const soak = async (): Promise<boolean> => {
  for (
    let round = 0;
    !(await fetch(`${url}/health`)
      .then(a => a.status === 200)
      .catch(() => false));
    round++
  ) {
    if (round > 3_000 || server.exitCode !== null) throw new Error('the product did not start')
    await pause(200)
  }
  const token = await signIn('finance1')
  const lists = endpoints.flatMap(({ endpoint }) => ('row' in endpoint ? [endpoint as typeof repay.page] : []))
  const open: (typeof repay.page)[] = []
  for (const list of lists) {
    const { code } = await call(list, { pageNum: 1, pageSize: 20 } as never, token)
    if (code === 0) open.push(list)
  }
  const paidOut = await call(
    repay.page,
    { pageNum: 1, pageSize: 100, orderStatus: ['funds_disbursed'] } as never,
    token,
  )
  const orders = paidOut.data.list.map(row => row.orderNo)
  const codes = (await call(loan.page, { pageNum: 1, pageSize: 100 } as never, token)).data.list.map(
    row => row.loanCode,
  )
  const waiting = { pageNum: 1, pageSize: 100, flowStatus: ['available', 'partly_used'] }
  const receipts = (await call(repay.flows, waiting as never, token)).data.list
  answers.clear()
  say(`${open.length} lists, ${orders.length} loans, ${clients} clients, at most ${rate} calls a second`)

  const end = Date.now() + minutes * 60_000
  const warm = Date.now() + (minutes * 60_000) / 3
  let sent = 0
  const began = Date.now()

  const list = (random: ReturnType<typeof randomFrom>) => {
    const chosen = random.pick(open)
    const pageSize = random.pick([10, 20, 50])
    return call(chosen, { pageNum: random.int(1, 3), pageSize } as never, token)
  }
  const detail = (random: ReturnType<typeof randomFrom>) =>
    random.chance(0.5)
      ? call(repay.detail, { orderNo: random.pick(orders) }, token)
      : call(loan.detail, { loanCode: random.pick(codes) }, token)
  const write = async (random: ReturnType<typeof randomFrom>) => {
    const orderNo = random.pick(orders)
    const { flowNo, serialNo, amount, entryTime, paymentChannel, paymentCode } = random.pick(receipts)
    const picked = { flowNo, serialNo, amount, entryTime, paymentChannel, paymentCode: paymentCode ?? serialNo }
    const flows = [{ ...picked, writeOffAmount: `${random.int(1, 20)}.00` }]
    const form = { orderNo, repayType: 'partial' as const, flows }
    const trial = await call(repay.trial, form, token)
    if (trial.code !== 0) return trial
    const { data } = await call(repay.detail, { orderNo }, token)
    return call(repay.commit, { ...form, version: data.order.version, trialKey: trial.data.trialKey }, token)
  }

  const client = async (index: number) => {
    const random = randomFrom(seed * 1000 + index)
    while (Date.now() < end) {
      const dice = random.next()
      const kind: Kind = dice < 0.85 ? 'list' : dice < 0.95 ? 'detail' : 'command'
      const { milliseconds } = await { list, detail, command: write }[kind](random)
      took[kind].push(milliseconds)
      sent += 1
      const early = began + (sent / rate) * 1000 - Date.now()
      if (early > 0) await pause(early)
    }
  }
  const watched: { minute: number; memory: number; delay: number; open: number; heap: number }[] = []
  const watch = async () => {
    const every = Math.max(1_000, (minutes * 60_000) / 60)
    while (Date.now() < end) {
      const seen = await vitals()
      if (Date.now() >= warm) watched.push({ minute: (Date.now() - began) / 60_000, ...seen })
      await pause(every)
    }
  }
  await Promise.all([watch(), ...Array.from({ length: clients }, (_, index) => client(index))])

  for (const kind of ['list', 'detail', 'command'] as const) {
    const [p50, p95, p99] = [50, 95, 99].map(part => percentile(took[kind], part).toFixed(0))
    say(`${kind.padEnd(8)} ${String(took[kind].length).padStart(7)} calls, p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`)
  }
  const growth = slopeOf(watched.map(one => [one.minute, one.memory]))
  const last = watched.at(-1)
  /** What settles late counts once, however short the run is. */
  const most = Number(values.growth) + 30 / minutes
  say(
    `memory ${last?.memory.toFixed(0)} MB, ${growth.toFixed(2)} MB a minute (at most ${most.toFixed(1)}); delay of the event loop p99 at most ${Math.max(...watched.map(one => one.delay)).toFixed(0)} ms; open handles ${watched[0]?.open} to ${last?.open}; answers ${JSON.stringify(Object.fromEntries(answers))}`,
  )
  for (const fault of faults.slice(0, 10)) say(`FAILED  ${fault}`)
  const isGood = faults.length === 0 && growth <= most
  if (!isGood) say(`again: npm run soak -- --minutes ${minutes} --seed ${seed}`)
  return isGood
}

let isGood = false
try {
  isGood = await soak()
} finally {
  server.kill('SIGTERM')
  await gone
  rmSync(home, { recursive: true, force: true })
}
process.exitCode = isGood ? 0 : 1
