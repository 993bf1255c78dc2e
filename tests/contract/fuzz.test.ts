import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codes } from '../../core/contract/codes.ts'
import { endpoints } from '../../core/contract/contract.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { isChosen, sizeOf } from '../sizes.ts'
import { type House, openHouse } from './house.ts'
import type { Heard } from './http.ts'
import { readBack, type Shot, shotOf } from './shots.ts'
import { tablesHash } from './tables.ts'

const cases = sizeOf('cases', 50)
const seed = sizeOf('seed', 1)

/** Refusals that must be remembered, and what remembers them. */
const remembers: Readonly<Record<string, string>> = {
  'user.login': 'a failed sign-in stands in the audit log',
  'user.stepUp': 'a wrong code stands in the audit log',
  'user.changePwd': 'a guessed password ends the session',
  'mfa.start': 'a guessed password ends the session',
  'mfa.confirm': 'a wrong code stands in the audit log',
  'embed.handoff': 'whoever asks uses the code up',
}
/** What may end the session of whoever calls. */
const ends = new Set([
  'user.signOut',
  'user.stepUp',
  'user.changePwd',
  'session.revokeOthers',
  'mfa.start',
  'mfa.refresh',
  'mfa.confirm',
  'mfa.reset',
])
const catalogue = new Set<number>(Object.values(codes))

let house: House
let known: Record<string, unknown[]>

const numbers = async (table: string, column: string): Promise<string[]> =>
  (await house.rows(sql<{ no: string }>`select ${sql.ref(column)} as no from ${sql.table(table)} limit 40`)).map(
    row => row.no,
  )

const learn = async () => {
  const orders = await numbers('loan_order', 'order_no')
  const codesThere = await numbers('loan_code', 'loan_code')
  known = {
    orderNo: orders,
    orderNos: orders,
    objectNo: orders,
    objectType: ['order'],
    loanCode: codesThere,
    loanCodes: codesThere,
    flowNo: await numbers('repay_flow', 'flow_no'),
    repaymentNo: await numbers('repay_record', 'repayment_no'),
    approvalNo: await numbers('approval', 'approval_no'),
    exportNo: await numbers('export_job', 'export_no'),
    importNo: await numbers('import_job', 'import_no'),
    uploadNo: await numbers('upload', 'upload_no'),
    viewNo: await numbers('saved_view', 'view_no'),
    leaveNo: await numbers('leave_apply', 'leave_no'),
    auditorNos: [house.boss.userNo, house.second.userNo],
    merchantNo: ['M1', 'M2'],
    productNo: ['P1', 'P2'],
    fundAccountNo: ['FA1', 'FA9'],
    batchNo: await numbers('bank_batch', 'batch_no'),
    version: [0, 1, 2, 3, 4, 5],
  }
}

beforeAll(async () => {
  house = await openHouse({ handmade: true })
  await house.repaid()
  await house.receivedFlow()
  await house.draftFlow()
  await house.requested('M2')
  await house.sent()
  await house.brought()
  await house.exported()
  await house.leaveAsked()
  await house.savedView()
  await house.batched()
  await house.waitingForFile()
  await house.attached(await house.opened('M2').then(made => made.orderNo))
  await learn()
}, 60_000)
afterAll(() => house.close())

/** What a search for a person leaves behind is not what it does. */
const hash = async () => {
  const { access_log: _, ...rest } = await tablesHash(house.db)
  return rest
}

const revive = (userNo: string) =>
  house.exec(sql`update session set ended_time = null, last_seen_time = ${house.clock.now()} where user_no = ${userNo}`)

/** Whether a call gets as far as its handler; what its path holds is not what its body says. */
const isFit = (endpoint: Endpoint, shot: Shot) => {
  if (endpoint.method !== 'POST') return true
  const inPath = Object.keys(shot.input).filter(name => endpoint.path.includes(`{${name}}`))
  const read = readBack(shot)
  const whole = inPath.length
    ? { ...(read as object), ...Object.fromEntries(inPath.map(name => [name, shot.input[name]])) }
    : read
  return endpoint.input.safeParse(whole).success
}

/** What is wrong with an answer, or nothing. */
const flawOf = (endpoint: Endpoint, shot: Shot, heard: Heard): string | null => {
  const { code, status, msg, data, headers } = heard
  if (status >= 500 || code === codes.internal) return `${status} ${code}`
  if (!catalogue.has(code)) return `an unknown code ${code}`
  if (typeof msg !== 'string' || (code !== codes.ok && !/\S/.test(msg))) return 'no words'
  if (headers.get('cache-control') !== 'no-store' || headers.get('x-content-type-options') !== 'nosniff')
    return 'headers'
  if (({} as { polluted?: unknown }).polluted !== undefined) return 'polluted prototypes'
  if (code !== codes.ok) return null
  if (!endpoint.file && !endpoint.output.safeParse(data).success) return 'an answer that its schema refuses'
  if (!isFit(endpoint, shot)) return 'accepts what its schema refuses'
  return null
}

const shown = ({ kind, input, asked }: Shot, heard: Heard) =>
  `${kind}: ${JSON.stringify({ input, ...asked, ...(asked.body instanceof Uint8Array ? { body: asked.body.toString() } : {}) }).slice(0, 600)} → ${heard.text.slice(0, 300)}`

describe.each(endpoints.filter(({ name, endpoint }) => isChosen('endpoint', name, endpoint.path)))('$name', one => {
  const { name, endpoint } = one

  it(`stands ${cases} calls of any kind: no fault of its own, no effect of what it refuses`, async () => {
    const as = ends.has(name) ? house.second : house.boss
    const wrong: string[] = []
    const again = `npm run fuzz -- --seed ${seed} --cases ${cases} --endpoint ${name}`
    const isRead = (endpoint.method === 'GET' && !endpoint.writes) || 'names' in endpoint || 'defaultSort' in endpoint
    let before = await hash()
    const compare = async (what: string) => {
      const now = await hash()
      const changed = Object.keys(now).filter(table => now[table] !== before[table])
      if (changed.length) wrong.push(`${changed} changed, ${what}`)
      before = now
    }
    for (let index = 0; index < cases; index++) {
      const shot = shotOf(one, { seed, index, known })
      const heard = await house.ask(endpoint, shot.input, { as, ...shot.asked })
      const flaw = flawOf(endpoint, shot, heard)
      const tokens = shot.asked.headers && ('token' in shot.asked.headers || 'authorization' in shot.asked.headers)
      const signedOut = heard.code === codes.signedOut && !tokens && !ends.has(name)
      if (flaw || signedOut) wrong.push(`case ${index}, ${flaw ?? 'signed out'}, ${shown(shot, heard)}`)
      if (ends.has(name)) await revive(as.userNo)
      if (isRead || name in remembers) continue
      if (heard.code === codes.ok) before = await hash()
      else if (isFit(endpoint, shot)) await compare(`refused case ${index}, ${shown(shot, heard)}`)
    }
    if (!(name in remembers)) await compare('by one of all')
    expect(wrong, again).toEqual([])
  })
})
