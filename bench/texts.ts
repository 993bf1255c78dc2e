import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { base } from '../core/contract/endpoint.ts'
import { africasTalking } from '../server/gateways/texts/africas-talking.ts'
import { openServerKit } from '../tests/contract/server-kit.ts'
import { freePort, newPostgresDatabase } from '../tests/postgres.ts'
import { seconds } from './measured.ts'
import { type Access, writeTask } from './texts/task.ts'

/**
 * A task of many texts against the simulated vendor, which times out, refuses, reports twice and in the wrong order: the server is killed
 * on the way and started again; afterwards each text is explained by the vendor's own record, and none went twice.
 * BENCH_TEXTS_COUNT (200,000), BENCH_TEXTS_WORKERS (16).
 */
const count = Number(process.env.BENCH_TEXTS_COUNT ?? 200_000)
const workers = Number(process.env.BENCH_TEXTS_WORKERS ?? 16)
const killedAfter = Math.floor(count * 0.4)
const mostMb = 900
const quietMs = 20_000

type Line = { listening?: string | number; open?: number; handled?: number; mb?: number }
const started: ChildProcess[] = []
const start = (file: string, env: Record<string, string>, heard: (line: Line) => void): ChildProcess => {
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  createInterface({ input: child.stdout! }).on('line', line => line.startsWith('{') && heard(JSON.parse(line) as Line))
  return child
}

const url = await newPostgresDatabase()
if (!url) throw new Error('PostgreSQL is not installed: a killed server needs a database of its own')
const dir = mkdtempSync(path.join(tmpdir(), 'mkopo-texts-'))
const kit = await openServerKit({ url, handmade: true })
await writeTask(kit, count)

const [port, simPort] = [await freePort(), await freePort()]
const reportSecret = 'a-secret-of-the-vendor-and-of-ours'
const access: Access = {
  ...{ accountNo: 'sms-1', vendorName: 'Nile Text', senderId: 'NILE', reportSecret, username: 'nile', apiKey: 'key' },
  baseUrl: `http://127.0.0.1:${simPort}`,
}
const reportUrl = `http://127.0.0.1:${port}${base}/callback/sms/${access.accountNo}/${reportSecret}/report`
const customers = JSON.stringify([
  { username: 'nile', apiKey: 'key', reportUrl },
  { username: 'bare', apiKey: 'key', reportUrl: null },
])
const simulated = {
  PORT: String(simPort),
  DATA_DIR: dir,
  CUSTOMERS: customers,
  SIM_SPEED: '10',
  HOLD_MS: '2000',
  SYNCED: '0',
}
await new Promise<void>(resolve => start('server/simulators/sms.ts', simulated, () => resolve()))

const begun = Date.now()
const given = JSON.stringify({ url, port, started: begun, access, workers })
let [handled, open, most] = [0, 1, 0]
const serve = () =>
  start('bench/texts/server.ts', { BENCH_TEXTS: given }, line => {
    handled = line.handled ?? handled
    open = line.open ?? open
    most = Math.max(most, line.mb ?? 0)
  })

let child = serve()
let killed = false
const sending = await seconds(async () => {
  while (open > 0 || handled < count) {
    await pause(250)
    if (!killed && handled >= killedAfter) {
      killed = true
      child.kill('SIGKILL')
      child = serve()
    }
  }
})
await pause(quietMs)
child.kill('SIGKILL')

type Text = { entry: string; ref: string; username: string; phone: string; arrived: boolean }
const record = readFileSync(path.join(dir, 'texts.jsonl'), 'utf8').split('\n').filter(Boolean)
const statement = record.map(line => JSON.parse(line) as Text).filter(one => one.entry === 'text')
const byPhone = new Map<string, Text[]>()
for (const one of statement) byPhone.set(one.phone, [...(byPhone.get(one.phone) ?? []), one])
type Row = { phone: string; status: string; ref: string | null }
const rows = await kit.rows(sql<Row>`
  select recipient as phone, message_status as status, vendor_ref as ref from message where object_type = 'sms_task'`)
const unexplained = rows.filter(({ phone, status, ref }) => {
  const [text] = byPhone.get(phone) ?? []
  if (status === 'delivered') return !text?.arrived || text.ref !== ref
  if (status === 'submitted') return text?.ref !== ref
  if (status === 'failed') return ref === null ? text !== undefined : text?.ref !== ref
  return status !== 'unknown'
})
const counts = new Map<string, number>()
for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1)
const twice = [...byPhone.values()].filter(list => list.length > 1).length

const bareTexts = Math.min(2_000, count)
const bare = africasTalking({ ...access, username: 'bare' })
const bareSeconds = await seconds(async () => {
  let next = 0
  const loop = async () => {
    while (next < bareTexts) {
      const phone = `25678${String(100 * next++ + 31).padStart(7, '0')}`
      await bare.send({ messageNo: phone, phone, senderId: 'NILE', content: 'Dear Customer, Boda Cash is open today.' })
    }
  }
  await Promise.all(Array.from({ length: workers }, loop))
})

const words = [...counts].map(([status, n]) => `${status} ${n}`)
console.log(`${rows.length} of ${count} texts: ${words.join(', ')}; killed once after ${killedAfter}`)
console.log(`by the vendor's statement: ${twice} went twice, ${unexplained.length} not explained`)
console.log(
  `${(count / sending).toFixed(0)} texts a second, ${(bareTexts / bareSeconds).toFixed(0)} in the bare loop; at most ${most} MB`,
)
for (const one of started) one.kill('SIGKILL')
await kit.close().catch(() => undefined)
rmSync(dir, { recursive: true, force: true })
const isGood = rows.length === count && twice === 0 && unexplained.length === 0 && most < mostMb
process.exit(isGood ? 0 : 1)
