import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import type { Envelope, OutputOf } from '../../core/contract/endpoint.ts'
import { createApp } from '../../server/http/app.ts'
import { clientAddress } from '../../server/http/defence/client-address.ts'
import { silentLog } from '../../server/log.ts'
import { type Momo, startMomo } from '../../server/simulators/testing.ts'
import { intakeModule } from '../../server/systems/order/intake/intake.ts'
import { replay } from '../../server/systems/risk/rule-set/index.ts'
import { application, send } from '../../server/testing/partner.ts'
import { type Floor, openFloor } from '../../server/testing/review-floor.ts'
import { freePort, hasPostgres } from '../postgres.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { openJournal } from './journal.ts'
import { type Server, serverOn } from './server.ts'

const { audit } = contract
const applications = 500
const atOnce = 10
/** Below the caps of the law, which a server writes when it starts. */
const lawful = {
  interest: { method: 'flat', ratePerDay: '0.05' },
  serviceFee: { basis: 'rate', value: '1', taken: 'upfront' },
} as const

describe.skipIf(!hasPostgres)('the server dies while orders are reviewed', () => {
  let cluster: Cluster
  let floor: Floor
  let momo: Momo
  let server: Server
  let journal: ReturnType<typeof openJournal>
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mkopo-faults-review-'))

  beforeAll(async () => {
    cluster = await openCluster()
    const url = await cluster.newDatabase()
    floor = await openFloor(url, new Date().toISOString())
    momo = await startMomo({ dir: path.join(dir, 'momo') })
    server = serverOn({ dataDir: path.join(dir, 'server'), url, port: await freePort(), momo: momo.config })
    journal = openJournal(path.join(dir, 'calls.jsonl'), server.url)
  })
  afterAll(async () => {
    await server?.kill()
    await floor?.close()
    await momo?.stop('SIGKILL')
    await cluster?.close()
    fs.rmSync(dir, { recursive: true, force: true })
  })

  /** Business time of the server goes on, so that what a dead one had taken is free again. */
  const pass = (seconds: number) =>
    floor.exec(sql`
      insert into business_clock (id, offset_seconds) values (1, ${seconds}) on conflict (id) do update set offset_seconds = business_clock.offset_seconds + ${seconds}`)
  const countOf = async () =>
    (await floor.one(sql<{ n: number }>`select count(distinct order_no)::int as n from risk_decision`)).n

  /** Orders that moved without a decision, or the other way round; and those that an interruption decided. */
  const wrong = () =>
    floor.rows(sql`
      select o.order_no, o.order_status, d.decisions, d.last from loan_order o
      left join lateral (
        select count(*)::int as decisions, count(distinct eval_no)::int as evals, (array_agg(decision order by eval_no desc))[1] as last, (array_agg(refuse_code order by eval_no desc))[1] as code
        from risk_decision d where d.order_no = o.order_no) d on true
      where o.third_order_no like 'RV%' and (
        d.decisions <> d.evals or (o.order_status = 'machine_reviewing') <> (d.decisions = 0 or d.last = 'incomplete')
        or (o.order_status = 'machine_refused') <> (coalesce(d.last, '') = 'refuse') or o.refuse_code is distinct from d.code
        or (select count(*) from state_transition s where s.machine = 'M10' and s.object_no = o.order_no and s.from_state = 'machine_reviewing') > 1)`)

  it('risk 12: in the middle of 500 orders; each has one decision for each evaluation, and none is decided by it', async () => {
    const { db } = floor
    const served = intakeModule().served
    const app = createApp({ db, log: silentLog, served, expected: [], clientAddress: clientAddress([]) })
    const apply = async (n: number) => {
      const made = application(120_000 + n)
      const device = { ...made.device, emulator: n % 4 === 0, rooted: false }
      const answer = await send({ app }, { ...made, device, thirdOrderNo: `RV${n}` })
      expect(answer, answer.msg).toMatchObject({ code: 0 })
    }
    for (let n = 0; n < applications; n += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, at) => apply(n + at)))
    for (const reached of [120, 300]) {
      await server.start()
      while ((await countOf()) < reached) await pause(5)
      await server.kill()
      expect(await countOf()).toBeLessThan(applications)
      expect(await wrong()).toEqual([])
      await pass(75)
    }
    await server.start()
    await expect.poll(countOf, { timeout: 120_000 }).toBe(applications)
    await expect
      .poll(async () => floor.rows(sql`select 1 from loan_order where order_status = 'machine_reviewing' limit 1`))
      .toEqual([])
    await server.kill()
    expect(await wrong()).toEqual([])
    const decisions = await floor.rows(
      sql<{ decisionNo: string; decision: string }>`select decision_no, decision from risk_decision`,
    )
    expect(decisions).toHaveLength(applications)
    expect(new Set(decisions.map(one => one.decision))).toEqual(new Set(['refuse', 'review']))
    for (const { decisionNo } of decisions)
      expect(await db.read(tx => replay(tx, decisionNo)), decisionNo).toMatchObject({ same: true })
  }, 600_000)

  it.each([
    ['before-commit', 0],
    ['after-commit', 1],
    ['before-answer', 1],
  ])(
    'at the submit of an auditor, %s: the same call then has one result, and the draft was not lost before it',
    async (point, before) => {
      const [lead, who] = [await floor.supervisor(), await floor.auditor()]
      const orderNo = await floor.order({ terms: lawful })
      expect((await floor.allotTo(lead, who, [orderNo])).data.ok).toBe(1)
      const own = (name: string) => ({ as: who, key: `review-${point}-${name}-${orderNo}` })
      await server.start(`${point}@${audit.submit.path}#1=kill`)
      const opened = await journal.begin(audit.open, { orderNo }, own('open'))
      expect(opened.envelope, server.output()).toMatchObject({ code: 0 })
      const task = (opened.envelope as Envelope<OutputOf<typeof audit.open>>).data
      const { leaseToken } = task
      const draft = { auditResult: 'pass' as const, approvalAmount: '180000', remark: 'called twice' }
      await journal.begin(audit.draft, { orderNo, leaseToken, draft }, own('draft'))
      floor.clock.set(new Date())
      const { call, envelope } = await journal.begin(
        audit.submit,
        { ...floor.passing(task, '180000.00'), remark: 'called twice' },
        own('submit'),
      )
      expect(envelope).toBeUndefined()
      await server.died()
      const results = () =>
        floor.rows(sql<{ remark: string }>`select remark from audit_record where order_no = ${orderNo}`)
      expect(await results()).toHaveLength(before)
      if (before === 0)
        expect(await floor.one(sql`select draft from audit_task where order_no = ${orderNo}`)).toEqual({ draft })
      await server.start()
      expect(await journal.again(call)).toMatchObject({ code: 0 })
      const { answer } = call
      await journal.again(call)
      expect(call.answer).toBe(answer)
      expect(await results()).toEqual([{ remark: 'called twice' }])
      expect(await floor.rows(sql`select 1 as one from loan_code where order_no = ${orderNo}`)).toHaveLength(1)
    },
  )
})
