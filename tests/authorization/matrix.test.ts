import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract, endpoints } from '../../core/contract/contract.ts'
import { type Endpoint, results } from '../../core/contract/endpoint.ts'
import type { Person } from '../../server/testing/kit.ts'
import { everyPerm, type House, type MerchantNo, openHouse } from '../contract/house.ts'
import type { Heard } from '../contract/http.ts'
import { fieldsOf, type Input, inputOf } from '../contract/inputs.ts'
import { tablesHash } from '../contract/tables.ts'
import { foreignRows } from '../reach.ts'

const staff = endpoints.filter(({ endpoint }) => endpoint.auth === 'staff')

/** Input fields that name a record, with what such a record is called in {@link Records}. */
const recordFields = {
  orderNo: 'orderNo',
  orderNos: 'orderNo',
  loanCode: 'loanCode',
  loanCodes: 'loanCode',
  repaymentNo: 'repaymentNo',
  flowNo: 'flowNo',
  approvalNo: 'approvalNo',
  exportNo: 'exportNo',
  uploadNo: 'uploadNo',
  importNo: 'importNo',
  objectNo: 'orderNo',
  viewNo: 'viewNo',
  leaveNo: 'leaveNo',
  batchNo: 'batchNo',
} as const
type Records = Record<(typeof recordFields)[keyof typeof recordFields], string>

/** What an input needs besides, for its record to be looked at. */
const besides: Record<string, Input> = {
  'attach.list': { objectType: 'order' },
  'attach.save': { objectType: 'order' },
  'common.reveal': { kind: 'phone', objectType: 'order', field: 'phone' },
}
/** Calls on many records that leave out, or name, those out of reach instead of refusing all. */
const leavesOut: Record<string, (heard: Heard) => boolean> = {
  'audit.allotAuditors': ({ data }) => (data as { list: { eligible: number }[] }).list.every(row => row.eligible === 0),
  'repay.zeroPreview': ({ data }) =>
    (data as { allowed: number; list: { reason: string }[] }).list.every(row => row.reason === 'Not found'),
}
/** Lists of what belongs to a person, whatever the merchant. */
const personal = new Set(['audit.selfList', 'view.page', 'message.page', 'exports.page', 'imports.page', 'leave.page'])
/** What rules between fields, and the auditors whom the caller may plan, ask of a sample before any record is looked at. */
const consistent: Record<string, (as: Person) => Input> = {
  'attach.save': () => ({ uploadNo: foreign.uploadNo }),
  'audit.allot': as => ({ auditorNos: [as.userNo] }),
  'audit.changePayout': () => ({ payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount: '256772888777' }),
}

const isRequired = ({ input }: Endpoint, name: string) =>
  !input.safeParse({ ...inputOf({ input }), [name]: undefined }).success
const keyOf = ({ name, endpoint }: (typeof staff)[number]) =>
  fieldsOf(endpoint)
    .map(field => field.name)
    .find(field => field in recordFields && (isRequired(endpoint, field) || name in besides)) as
    | keyof typeof recordFields
    | undefined

const onRecord = staff.flatMap(one => {
  const key = keyOf(one)
  return key ? [{ ...one, key }] : []
})
/** Calls about the caller's own session, menu, token or authenticator. */
const own = new Set([
  'user.signOut',
  'user.stepUp',
  'user.handoff',
  'embed.refresh',
  'mfa.mine',
  'mfa.start',
  'mfa.refresh',
  'mfa.confirm',
])
const overAll = staff.filter(one => !one.endpoint.audit && !one.endpoint.on && !keyOf(one) && !own.has(one.name))

const limits = ['own', 'dept', 'dept_below', 'own_merchants', 'org_below'] as const
const strangers = ['own', 'dept', 'dept_below', 'own merchants', 'organisation below'] as const

let house: House
let foreign: Records
/** Records of another merchant of the caller's organisation. */
let sibling: Records
let people: Map<string, Person>
const merchantOf = new Map<string, MerchantNo>()

/** A whole life of records of a merchant. */
const live = async (merchantNo: MerchantNo): Promise<Records> => {
  await house.queueUp(merchantNo)
  await house.opened(merchantNo)
  await house.sent(merchantNo)
  const { orderNo, loanCode, repaymentNo } = await house.repaid(merchantNo)
  const { payCode } = (await house.rowOf('order', orderNo)) as unknown as { payCode: string }
  const flowNo = await house.draftFlow(house.boss, payCode)
  const { approvalNo } = await house.requested(merchantNo)
  const viewNo = await house.savedView()
  const exportNo = await house.exported()
  const uploadNo = await house.attached(orderNo)
  const importNo = await house.brought({ merchantNo })
  const leaveNo = await house.leaveAsked()
  const { batchNo } = await house.batched(merchantNo)
  const records = { orderNo, loanCode, repaymentNo, flowNo, approvalNo, viewNo, exportNo, uploadNo, importNo }
  return { ...records, leaveNo, batchNo }
}

const learn = async () => {
  const rows = await house.rows(sql<{ no: string; merchantNo: MerchantNo }>`
    select order_no as no, merchant_no from loan_order union all select loan_code, merchant_no from loan_code join loan_order using (order_no)
    union all select audit_task_no, merchant_no from audit_task join loan_order using (order_no) union all select flow_no, merchant_no from repay_flow
    union all select approval_no, merchant_no from approval union all select batch_no, merchant_no from gateway_attempt join loan_code on loan_code = parent_no join loan_order using (order_no) where batch_no is not null
    union all select merchant_no, merchant_no from merchant union all select product_no, merchant_no from product
    union all select audit_no::text, merchant_no from audit_log join loan_order using (order_no)`)
  for (const { no, merchantNo } of rows) merchantOf.set(no, merchantNo)
}

beforeAll(async () => {
  house = await openHouse()
  await house.addSibling()
  foreign = await live('M1')
  await live('M2')
  sibling = await live('M3')
  await learn()
  const sensitive = ['pii:unmask', 'pii:reveal:phone']
  const given = { perms: everyPerm, sensitive, dept: 'D2' }
  const made = await Promise.all(
    limits.map(limit =>
      house.reviewer({ ...given, limit, merchants: limit.startsWith('own_') ? ['M2'] : ['M2', 'M1'] }),
    ),
  )
  people = new Map<string, Person>([
    ...strangers.map((name, at) => [name, made[at]!] as const),
    ['nothing at all', await house.person({ perms: [], dept: 'D2' })],
    ['everything', house.boss],
  ])
}, 60_000)
afterAll(() => house.close())

const who = (name: string) => people.get(name)!
const rowsOf = (heard: Heard) =>
  ((heard.data as { list?: Record<string, unknown>[] } | null)?.list ?? []) as Record<string, unknown>[]
const numberOf = (row: Record<string, unknown>) =>
  String(
    row.auditNo ??
      row.batchNo ??
      row.loanCode ??
      row.flowNo ??
      row.approvalNo ??
      row.auditTaskNo ??
      row.orderNo ??
      row.value ??
      '',
  )
const merchantsIn = (heard: Heard) => new Set(rowsOf(heard).flatMap(row => merchantOf.get(numberOf(row)) ?? []))

/** Balances of own accounts are the house's, whoever looks; all else in an answer belongs to somebody. */
const seen = ({ code, data }: Heard): unknown =>
  JSON.parse(
    JSON.stringify({ code, data }, (name, value) => (name === 'balance' || name === 'enough' ? undefined : value)),
  )

describe.each(staff.filter(({ endpoint }) => endpoint.perm))('$name', ({ endpoint }) => {
  it('is refused to whoever has no right', async () => {
    const heard = await house.ask(endpoint, inputOf(endpoint), { as: who('nothing at all') })
    expect(heard).toMatchObject({ code: 40301, data: null })
  })
})

describe.each(staff.filter(({ endpoint }) => endpoint.stepUp === true))('$name', ({ endpoint }) => {
  it('is refused to whoever has the right and has not proven anew who they are, and changes nothing', async () => {
    const before = await tablesHash(house.db)
    const ask = (headers: Record<string, string>) =>
      house.ask(endpoint, inputOf(endpoint), { as: who('everything'), unproven: true, headers })
    for (const proof of ['', 'x'.repeat(43)])
      expect(await ask({ 'x-step-up': proof })).toMatchObject({ code: 40302, data: { perm: endpoint.perm } })
    expect(await tablesHash(house.db)).toEqual(before)
    expect((await ask({ 'x-step-up': await house.stepUp(house.boss) })).code).not.toBe(40302)
  })
})

describe.each(overAll)('$name', ({ name, endpoint }) => {
  const required = Object.fromEntries(
    Object.entries(inputOf(endpoint)).filter(([field]) => isRequired(endpoint, field)),
  )
  const input: Input = 'pageSize' in inputOf(endpoint) || 'row' in endpoint ? { ...required, pageSize: 100 } : required
  const ask = (as: string) => house.ask(endpoint, input, { as: who(as) })
  const lists = 'row' in endpoint

  it('shows rows of every merchant to whoever may see all', async () => {
    const heard = await ask('everything')
    expect(heard.code, heard.text).toBe(0)
    if (lists && !personal.has(name) && rowsOf(heard).length > 0)
      expect([...merchantsIn(heard)].sort()).toEqual(['M1', 'M2', 'M3'])
  })

  it.each(['own merchants', 'organisation below'])('shows no foreign row within %s, and the own ones', async rule => {
    const heard = await ask(rule)
    expect(heard.code, heard.text).toBe(0)
    expect([...merchantsIn(heard)]).not.toContain('M1')
    if (rule === 'own merchants') expect([...merchantsIn(heard)]).not.toContain('M3')
    else if (lists && !personal.has(name)) expect([...merchantsIn(heard)]).toContain('M3')
    if (lists && !personal.has(name)) expect([...merchantsIn(heard)]).toContain('M2')
  })

  if (lists)
    it.each(['own', 'dept', 'dept_below'])('shows nothing within %s to whoever holds nothing', async rule => {
      const heard = await ask(rule)
      expect(heard.code, heard.text).toBe(0)
      expect(rowsOf(heard)).toEqual([])
      expect(heard.data).toMatchObject({ total: 0 })
    })
})

it('tells nobody, in no list and in no total, what happens to records out of reach', async () => {
  const inputs = new Map(
    overAll.map(({ name, endpoint }) => [
      name,
      Object.fromEntries(Object.entries(inputOf(endpoint)).filter(([field]) => isRequired(endpoint, field))),
    ]),
  )
  const look = async () => {
    const answers: Record<string, unknown> = {}
    for (const rule of strangers)
      for (const { name, endpoint } of overAll)
        answers[`${name} ${rule}`] = seen(await house.ask(endpoint, inputs.get(name)!, { as: who(rule) }))
    return answers
  }
  const before = await look()
  await live('M1')
  expect(await look()).toEqual(before)
})

describe.each(onRecord)('$name of a record', ({ name, endpoint, key }) => {
  const ask = (no: string, as: Person) => {
    const input = { ...inputOf(endpoint), ...besides[name], ...consistent[name]?.(as) }
    return house.ask(endpoint, { ...input, [key]: key.endsWith('s') ? [no] : no }, { as })
  }
  const found = (of = foreign) => of[recordFields[key]]
  const said = (heard: Heard) =>
    endpoint.output === results && heard.code === 0
      ? (heard.data as { rows: { code: number; msg: string }[] }).rows[0]!
      : heard

  const scopes = [
    ...strangers.map(rule => [rule, 'of another organisation'] as const),
    ['own merchants', 'of another merchant'] as const,
  ]
  it.each(scopes)('does not tell it from one that there is not, within %s, where it is %s', async (rule, whose) => {
    const before = await tablesHash(house.db)
    const theirs = found(whose === 'of another merchant' ? sibling : foreign)
    const [stranger, nobody] = [await ask(theirs, who(rule)), await ask('NO0000', who(rule))]
    const excused = leavesOut[name]
    if (excused) {
      expect(excused(stranger), stranger.text).toBe(true)
    } else {
      const { code, msg } = said(stranger)
      expect({ code, msg }, stranger.text.slice(0, 300)).toEqual({ code: 40401, msg: said(nobody).msg })
      expect(said(nobody).code).toBe(40401)
    }
    expect(await tablesHash(house.db)).toEqual(before)
  })

  it('finds it for whoever may see all', async () => {
    expect(said(await ask(found(), who('everything'))).code).not.toBe(40401)
  })
})

/** Calls that look at no record and show none, and why nobody's scope says anything about them. */
const without: Readonly<Record<string, string>> = {
  'user.signOut': 'ends the session that calls',
  'user.stepUp': 'proves who calls',
  'user.changePwd': 'is about the own password',
  'user.handoff': 'is about a link of the own menu',
  'session.revokeOthers': 'ends the own sessions',
  'mfa.mine': 'is about the own authenticator',
  'mfa.start': 'is about the own authenticator',
  'mfa.refresh': 'is about the own authenticator',
  'mfa.confirm': 'is about the own authenticator',
  'mfa.reset': 'is about a person, whose place in the house decides and not a merchant',
  'leave.apply': 'makes leave of whoever calls',
  'view.saveAs': 'makes a view of whoever calls',
  'bankBatch.create': 'takes what waits within the scope',
  'bankBatch.answer': 'an answer names its file; one out of reach is refused as one that there is not',
  'audit.autoAllot': 'takes what waits within the scope; its rows are those of the list',
  'repay.flowSave': 'makes a receipt; whose it is follows from the pay code',
  'embed.refresh': 'renews the token that calls',
  'embed.revoke': 'ends tokens of a partner, which belong to no merchant',
}
const begins = (machine?: string) => machine === 'exportJob' || machine === 'importJob' || machine === 'upload'

it('covers every call of staff, as one over all records or as one on a record, or says why not', () => {
  const covered = new Set([...overAll, ...onRecord].map(({ name }) => name))
  const left = staff.filter(({ name, endpoint }) => !covered.has(name) && !begins(endpoint.on?.machine))
  expect(left.map(({ name }) => name).sort()).toEqual(Object.keys(without).sort())
})

it('lets no file be written of rows that its list does not show', async () => {
  const exporting = staff.filter(
    ({ endpoint }) => endpoint.on?.machine === 'exportJob' && endpoint.on.event === 'export.request',
  )
  for (const { name, endpoint } of exporting) {
    const input = { ...inputOf(endpoint), filters: {}, reason: 'monthly report' }
    const counted = async (rule: string) => {
      await house.worker.drain()
      const { code, data, text } = await house.ask(endpoint, input, { as: who(rule) })
      expect(code, `${name} ${text}`).toBe(0)
      return (data as { rowCount: number }).rowCount
    }
    for (const rule of ['own', 'dept', 'dept_below']) expect(await counted(rule), `${name} ${rule}`).toBe(0)
    const [mine, ours, all] = [
      await counted('own merchants'),
      await counted('organisation below'),
      await counted('everything'),
    ]
    expect(mine, name).toBeGreaterThan(0)
    expect(ours, name).toBeGreaterThan(mine)
    expect(all, name).toBeGreaterThan(ours)
  }
})

it('shows whoever is limited to the own work exactly that', async () => {
  const person = who('own')
  const orderNo = await house.allotted('M1', person)
  const { audit, order } = contract
  for (const endpoint of [audit.manageList, audit.allotList, audit.selfList]) {
    const heard = await house.ask(endpoint, {}, { as: person })
    expect(rowsOf(heard).map(row => row.orderNo)).toEqual([orderNo])
  }
  expect((await house.ask(order.summary, { orderNo }, { as: person })).code).toBe(0)
  expect((await house.ask(order.summary, { orderNo: foreign.orderNo }, { as: person })).code).toBe(40401)
})

it('lets nobody agree to what they asked for themselves, or reject it', async () => {
  const { approve, reject } = contract.common
  const { approvalNo } = await house.requested()
  const before = await tablesHash(house.db)
  const decision = { approvalNo, version: 0 }
  expect((await house.ask(approve, decision, { as: house.boss })).code).toBe(40301)
  expect((await house.ask(reject, { ...decision, reason: 'mine' }, { as: house.boss })).code).toBe(40301)
  expect((await house.ask(contract.common.withdraw, decision, { as: house.second })).code).toBe(40301)
  await house.without(house.second, ['fund:cancelPay:check'], async () => {
    expect((await house.ask(approve, decision, { as: house.second })).code).toBe(40301)
  })
  expect(await tablesHash(house.db)).toEqual(before)
})

it('shows nobody a row that the data rule keeps from them, by a second reading of the rule', async () => {
  const { asked, rows, foreign } = await foreignRows(house.db, house.lists)
  expect(foreign).toEqual([])
  expect(asked).toBeGreaterThan(30)
  expect(rows).toBeGreaterThan(60)

  const open = house.lists.map(listed => ({
    ...listed,
    source: (at: Parameters<typeof listed.source>[0]) => ({ ...listed.source(at), where: sql`true` }),
  }))
  const leaked = await foreignRows(house.db, open)
  expect(new Set(leaked.foreign.map(({ list }) => list)).size).toBeGreaterThan(5)
})
