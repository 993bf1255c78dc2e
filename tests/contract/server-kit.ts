import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { endpoints } from '../../core/contract/contract.ts'
import type { Machine } from '../../core/rules/machines/machine.ts'
import { type MachineName, machines } from '../../core/rules/machines/machines.ts'
import { neg } from '../../core/rules/money.ts'
import type { BvnAnswer } from '../../server/gateways/bvn/bvn-service.ts'
import type { CollectGateway, CollectQueryAnswer } from '../../server/gateways/gateway.ts'
import { silentLog } from '../../server/log.ts'
import type { Deps } from '../../server/module.ts'
import { account, post } from '../../server/money/ledger.ts'
import { noCollection } from '../../server/money/no-gateway.ts'
import { system } from '../../server/rights/actor.ts'
import { jobsOf } from '../../server/run.ts'
import { fakeGateway } from '../../server/systems/after-loan/payout/payout-fixture.ts'
import { modules } from '../../server/systems/systems.ts'
import { openKit, type Person } from '../../server/testing/kit.ts'
import { servesOwn } from '../../server/testing/people.ts'
import { fakeVendors } from '../../server/testing/vendors.ts'
import { warningPerms } from '../../server/warnings/rule.ts'
import { sender } from './http.ts'

/** Codes that handlers ask for besides the one of their endpoint. */
const further = ['audit:order:handleAny', 'audit:order:forceAllot', 'risk:pricing:overCap', ...warningPerms]
const own = endpoints.flatMap(({ endpoint: { perm, anyPerm } }) => [...(perm ? [perm] : []), ...(anyPerm ?? [])])
/** What parts of records that are sensitive as a whole ask for. */
export const everySight = [
  ...new Set(endpoints.flatMap(({ endpoint: { sees } }) => (sees ? [`pii:reveal:${sees}`] : []))),
]
/** Every code there is, with the right to check what a second person must agree to. */
export const everyPerm = [...new Set([...own, ...further])].flatMap(perm => [perm, `${perm}:check`])

const pending = { kind: 'pending' } as const
/** What a network says of money that a customer paid in: only its own reference. */
const newsOf: CollectGateway['parseCallback'] = (_, body) => {
  const { receipt } = JSON.parse(body) as { receipt?: string }
  return receipt ? { eventId: receipt, gatewayRef: receipt, externalId: null } : null
}

/** What was put there for a reference, as a receipt or as the number of the payment: others that are asked for meanwhile wait. */
const answerTo = (received: CollectQueryAnswer[], ref: string) => {
  const at = received.findIndex(one => !('serialNo' in one) || one.serialNo === ref || one.externalId === ref)
  return at < 0 ? undefined : received.splice(at, 1)[0]
}

export const partners = {
  M1: { productNo: 'P1', secret: 'secret-one' },
  M2: { productNo: 'P2', secret: 'secret-two' },
  /** Of the organisation of M2; there once {@link Fixture.addSibling} was called. */
  M3: { productNo: 'P3', secret: 'secret-three' },
} as const
export type MerchantNo = keyof typeof partners

/** The whole server in memory with a scripted network, two people who may do everything, and tools to read and to change rows. */
export const openServerKit = async (
  o: Pick<Parameters<typeof openKit>[0], 'now' | 'url' | 'database' | 'handmade'> = {},
) => {
  const network = fakeGateway()
  const received: CollectQueryAnswer[] = []
  const outbox = fakeVendors()
  const bvnAnswers: BvnAnswer[] = []
  const files = mkdtempSync(path.join(tmpdir(), 'mkopo-files-'))
  const secretKey = Buffer.alloc(32)
  const deps: Deps = {
    clock: { now: () => kit.clock.now() },
    demo: true,
    exportDir: path.join(files, 'exports'),
    importDir: path.join(files, 'imports'),
    uploads: { dir: path.join(files, 'uploads'), secret: Buffer.alloc(32, 1) },
    secretKey,
    vendors: outbox.vendors,
    bvn: { ask: async () => bvnAnswers.shift() ?? { is: 'unknown', reason: 'not scripted' } },
    payout: { mtn_momo: network.gateway, airtime: { ...network.gateway, channel: 'airtime' } },
    collect: {
      mtn_momo: {
        ...noCollection,
        requestToPay: async () => ({ kind: 'accepted' }),
        parseCallback: newsOf,
        query: async ref => answerTo(received, ref) ?? pending,
        statement: async () => ({ opening: '0.00', closing: '0.00', lines: [] }),
      },
    },
  }
  const all = modules(deps)
  const kit = await openKit({ ...o, modules: all })
  const { db, clock } = kit
  const { worker } = jobsOf({ db, log: silentLog, modules: all })
  const ask = sender(kit.app, kit.stepUp)

  const one = <T>(query: ReturnType<typeof sql<T>>) => db.read(tx => tx.one(query))
  const rows = <T>(query: ReturnType<typeof sql<T>>) => db.read(tx => tx.rows(query))
  const exec = (query: ReturnType<typeof sql>) => db.withTx(tx => tx.exec(query))

  /** A person who reviews, with the given rights or all of them. */
  const reviewer = async (p: Partial<Parameters<typeof kit.person>[0]> = {}): Promise<Person> => {
    const person = await kit.person({ perms: everyPerm, ...p })
    await exec(
      sql`insert into audit_person (user_no, queue_cap, auto_allocation) values (${person.userNo}, 10000, false)`,
    )
    await exec(servesOwn(person))
    return person
  }
  const boss = await reviewer({
    sensitive: ['pii:unmask', 'pii:reveal:phone', 'pii:reveal:walletAccount', ...everySight],
  })
  const second = await reviewer()

  const putIn = (fundAccountNo: string) =>
    db.withTx(tx => {
      const amount = '900000000.00'
      const lines = [
        { account: account.bank(fundAccountNo), amount },
        { account: account.ownerFunds('Nile Credit'), amount: neg(amount) },
      ]
      return post(tx, { code: 'P0', cause: `fund_account:${fundAccountNo}`, keys: {}, lines }, system('fixture'))
    })
  await putIn('FA1')

  /** Does once what a module does by the clock, to its end. */
  const tick = async (job: string): Promise<void> => {
    const { run } = all.flatMap(one => one.scheduled ?? []).find(one => one.job === job) ?? {}
    if (run) await db.withTx(tx => run(tx, { date: tx.today }))
    const { chunk } = all.flatMap(one => one.chunked ?? []).find(one => one.job === job) ?? {}
    if (!run && !chunk) throw new Error(`nothing is done by the clock as ${job}`)
    for (let cursor: string | null = null; chunk; ) {
      cursor = (await db.withTx(tx => chunk(tx, { date: tx.today, cursor }))).cursor
      if (cursor === null) return
    }
  }

  /** A second merchant of the organisation of M2, with a product, whose orders the first person reviews too. */
  const addSibling = () =>
    db.withTx(async tx => {
      await tx.exec(
        sql`insert into merchant (merchant_no, merchant_name, app_name, org_no) values ('M3', 'Shamba Credit', 'Shamba', 'O2')`,
      )
      await tx.exec(
        sql`insert into merchant_credential (api_key_id, merchant_no, secret, created_time) values ('K3', 'M3', ${partners.M3.secret}, ${tx.now})`,
      )
      await tx.exec(
        sql`insert into product (product_no, product_name, merchant_no, terms) select 'P3', 'Quick loan P3', 'M3', terms from product where product_no = 'P2'`,
      )
      await tx.exec(sql`insert into fund_account_merchant values ('FA1', 'M3')`)
      await tx.exec(sql`insert into user_merchant values (${boss.userNo}, 'M3')`)
      await tx.exec(servesOwn(boss))
    })

  const must = <T extends { code: number; msg: string; data: unknown }>(answer: T): T['data'] => {
    const refused = (answer.data as { rows?: { code: number; msg: string }[] } | null)?.rows?.find(
      row => row.code !== 0,
    )
    if (answer.code !== 0 || refused) throw new Error(`${answer.code} ${answer.msg} ${JSON.stringify(answer.data)}`)
    return answer.data
  }

  /** The row of a machine, as the database has it. */
  const rowOf = async (name: MachineName, no: string) => {
    const m: Machine = machines[name]
    return one(sql<Record<string, unknown> & { version: number }>`
      select x.*, x.${sql.ref(m.status)} as status from ${sql.table(m.table)} x where x.${sql.ref(m.key)} = ${no}`)
  }
  const versionOf = async (name: MachineName, no: string) => (await rowOf(name, no)).version
  const statusOf = async (name: MachineName, no: string) => String((await rowOf(name, no)).status)

  /** Puts a row into a state without its history. */
  const force = (name: MachineName, no: string, state: string) => {
    const m: Machine = machines[name]
    return exec(sql`
      update ${sql.table(m.table)} set ${sql.ref(m.status)} = case when set_config('app.transition', 'on', true) = 'on' then ${state} end
      where ${sql.ref(m.key)} = ${no} and ${sql.ref(m.status)} <> ${state}`)
  }

  /** Lets time go by; who is signed in stays so. */
  const pass = async (minutes: number): Promise<void> => {
    clock.advance(minutes * 60_000)
    await exec(sql`update session set created_time = ${clock.now()}, last_seen_time = ${clock.now()}`)
  }

  /** Takes some codes away from a person for the length of an act. */
  const without = async (person: Person, perms: readonly string[], act: () => Promise<void>): Promise<void> => {
    const taken = await rows(sql<{ menuNo: string }>`
      select menu_no from role_menu join menu using (menu_no) where role_no = ${`R${person.userNo}`} and perms = any(${[...perms]})`)
    const numbers = taken.map(row => row.menuNo)
    await exec(sql`delete from role_menu where role_no = ${`R${person.userNo}`} and menu_no = any(${numbers})`)
    try {
      await act()
    } finally {
      for (const no of numbers)
        await exec(sql`insert into role_menu (role_no, menu_no) values (${`R${person.userNo}`}, ${no})`)
    }
  }

  return {
    ...kit,
    lists: all.flatMap(module => module.lists ?? []),
    approvals: all.flatMap(one => one.approvals ?? []),
    close: async () => {
      await kit.close()
      rmSync(files, { recursive: true })
    },
    network,
    received,
    bvnAnswers,
    outbox,
    worker,
    ask,
    secretKey,
    tick,
    one,
    rows,
    exec,
    reviewer,
    boss,
    second,
    addSibling,
    putIn,
    must,
    rowOf,
    versionOf,
    statusOf,
    force,
    pass,
    without,
  }
}
