import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import type { ContactUse } from '../../../../core/rules/contact/contact-block.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { listValues } from '../../risk/name-list/index.ts'
import { nameListModule } from '../../risk/name-list/name-list.ts'
import { teleBlockModule } from '../../telemarketing/blacklist/blacklist.ts'
import { contactBlockModule } from './contact-block.ts'
import { contactBlocksOf, noteStop } from './guard.ts'
import { putBlock } from './store.ts'

type Values = Record<string, unknown>
type Answer = { code: number; msg: string; data: Values & { list: Values[]; results: Values[] } }
const { contactBlock, teleBlock, common, nameList } = contract
const modules = [contactBlockModule(), teleBlockModule(), nameListModule()]
const own = [
  ...['page', 'save', 'remove'].map(action => `contact:blacklist:${action}`),
  ...['page', 'update', 'delete'].map(action => `tele:blacklist:${action}`),
  ...['page', 'save', 'enable', 'item'].map(action => `risk:list:${action}`),
]
const checks = ['contact:blacklist:save:check', 'contact:blacklist:remove:check', 'tele:blacklist:delete:check']
const lists = listValues(Buffer.alloc(32))
const customer = '256772000500'

let kit: Kit
let maker: Person
let checker: Person
let brand: Person
const ask = async (endpoint: unknown, input: Values, as = maker) =>
  (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as Answer
const block = (phones: string, change: Values = {}, as = maker) =>
  ask(contactBlock.add, { phones, blockScopes: ['all'], blockReason: 'complaint', ...change }, as)
const outcomes = ({ data }: Answer) => data.results.map(one => one.outcome)
const blockedFor = (phone: string, use: ContactUse, merchantNo: string | null = 'M1') =>
  kit.db.read(
    async tx => (await contactBlocksOf(tx, lists, { ...use, phones: [phone], merchantNo }))[0]?.reason ?? null,
  )
const approve = (approvalNo: unknown) => ask(common.approve, { approvalNo, version: 0 }, checker)
const entryOf = async (phone: string): Promise<Values> => (await ask(contactBlock.page, { phone })).data.list[0] ?? {}
const pendingOf = async (objectNo: unknown) =>
  (
    await kit.db.read(tx =>
      tx.one(
        sql<{
          no: string
        }>`select approval_no as no from approval where object_no = ${objectNo} and approval_status = 'pending'`,
      ),
    )
  ).no

beforeAll(async () => {
  const approvals = modules.flatMap(one => one.approvals ?? [])
  kit = await openKit({ modules: [...modules, approvalModule(approvals)] })
  maker = await kit.person({ perms: own, name: 'Maker' })
  checker = await kit.person({ perms: [...own, ...checks], name: 'Checker' })
  brand = await kit.person({ perms: own, name: 'Brand', nature: 'merchant', merchants: ['M2'], limit: 'own_merchants' })
  await kit.db.withTx(tx =>
    tx.exec(sql`
      insert into customer (customer_no, customer_name, id_number, phone, gender, birth_date, marital_status, education, children_count, occupation, employer_name, monthly_income, payday, address_text, district, residence_type, credit_limit, remaining_limit, register_time)
      values ('CU1', 'Grace Nakato', 'CF92012345ABCD', ${customer}, 'female', '1992-01-01', 'single', 'degree', 0, 'trader', 'Self', 900000, 25, 'Kampala', 'Kampala', 'rented', 100000, 100000, now())`),
  )
})
afterAll(() => kit.close())

describe('numbers that must not be contacted', () => {
  it('are taken as people write them, each with its outcome, and act at once', async () => {
    const text: ContactUse = { kind: 'marketing', medium: 'text' }
    expect(await blockedFor('256772000001', text)).toBe(null)
    const added = await block('0772 000 001, +256772000002\n256772000001\n12345', { blockReason: 'asked_to_stop' })
    expect(outcomes(added)).toEqual(['added', 'added', 'exists', 'format'])
    expect(await blockedFor('256772000001', text)).toBe('opted_out')
    expect(await blockedFor('256772000002', { kind: 'collection', medium: 'robot' })).toBe('blacklisted')
    expect(await blockedFor('256772000003', text)).toBe(null)
    expect(await entryOf('0772000001')).toMatchObject({
      phone: '25********01',
      blockScope: 'all',
      blockStatus: 'active',
    })
    expect(await entryOf('25677200000')).toEqual({})
  })

  it('are blocked for one merchant where they are blocked for it', async () => {
    await block('256772000011', { merchantNo: 'M2' }, brand)
    const call: ContactUse = { kind: 'collection', medium: 'call' }
    expect(await blockedFor('256772000011', call, 'M2')).toBe('blacklisted')
    expect(await blockedFor('256772000011', call, 'M1')).toBe(null)
    expect((await block('256772000012', {}, brand)).code).toBe(40001)
    expect((await block('256772000012', { merchantNo: 'M1' }, brand)).code).toBe(40001)
  })

  it('merchant 13: are seen, counted and changed by their own merchant alone', async () => {
    await block('256772000014', { merchantNo: 'M1' })
    const entry = await entryOf('256772000014')
    expect(entry.merchantNo).toBe('M1')
    for (const filters of [{ phone: '256772000014' }, { merchantNo: ['M1'] }])
      expect((await ask(contactBlock.page, filters, brand)).data).toMatchObject({ total: 0, list: [] })
    expect((await ask(contactBlock.detail, { blockNo: entry.blockNo }, brand)).code).toBe(40401)
    const found = await ask(contactBlock.lookup, { phone: '256772000014' }, brand)
    expect(JSON.stringify(found.data)).not.toContain(String(entry.blockNo))
    const wider = await ask(contactBlock.change, { blockNos: [entry.blockNo], blockScope: 'all' }, brand)
    expect(wider.data).toMatchObject({ ok: 0 })
    expect(await entryOf('256772000014')).toMatchObject({ blockStatus: 'active', pendingApproval: null })
  })

  it('keep one entry: a wider scope ends the narrower ones', async () => {
    await block('256772000021', { blockScopes: ['marketing', 'collection'] })
    expect(outcomes(await block('256772000021'))).toEqual(['added'])
    expect(outcomes(await block('256772000021', { blockScopes: ['telemarketing'] }))).toEqual(['exists'])
    const { data } = await ask(contactBlock.page, { phone: '256772000021' })
    expect(data.list.map(one => [one.blockScope, one.blockStatus]).sort()).toEqual([
      ['all', 'active'],
      ['collection', 'ended'],
      ['marketing', 'ended'],
    ])
  })

  it('that a customer registered are kept from collection by law or death alone, and by two people', async () => {
    expect(outcomes(await block(customer))).toEqual(['own'])
    expect(outcomes(await block(customer, { blockScopes: ['marketing'] }))).toEqual(['added'])
    const asked = await block(customer, { blockReason: 'legal' })
    expect(outcomes(asked)).toEqual(['waits'])
    const use: ContactUse = { kind: 'collection', medium: 'call' }
    expect(await blockedFor(customer, use)).toBe(null)
    expect((await approve(asked.data.approvalNo)).data).toMatchObject({ approvalStatus: 'executed' })
    expect(await blockedFor(customer, use)).toBe('blacklisted')
    // Codes, receipts and decisions still reach their own number; those to a stranger do not.
    expect(await blockedFor(customer, { kind: 'service', medium: 'text' })).toBe(null)
    expect(await blockedFor('256772000001', { kind: 'service', medium: 'text' })).toBe('blacklisted')
  })

  it('change their scope at once to a wider one, and with a second person to any other', async () => {
    await block('256772000031', { blockScopes: ['marketing'], blockReason: 'not_related' })
    const { blockNo } = await entryOf('256772000031')
    await ask(contactBlock.change, { blockNos: [blockNo], blockScope: 'all' })
    expect(await entryOf('256772000031')).toMatchObject({ blockScope: 'all' })
    expect((await ask(contactBlock.change, { blockNos: [blockNo], blockScope: 'marketing' })).data).toMatchObject({
      ok: 1,
    })
    expect(await entryOf('256772000031')).toMatchObject({ blockScope: 'all', pendingApproval: 'Maker' })
    await approve(await pendingOf(blockNo))
    expect(await entryOf('256772000031')).toMatchObject({ blockScope: 'marketing' })
  })

  it('are let go with proof and a second person, and not within 30 days of a complaint', async () => {
    const remove = async (no: unknown) => ({
      ...{ blockNo: no, version: 0, reason: 'asked to be called' },
      proofFile: await readyFile(kit.db, maker.userNo),
    })
    await block('256772000041')
    const cooling = await entryOf('256772000041')
    expect(cooling.blockedBy).toMatchObject({ 'block.end': { reason: 'errors.blockCooling' } })
    expect((await ask(contactBlock.remove, await remove(cooling.blockNo))).code).toBe(40901)
    await block('256772000042', { blockReason: 'wrong_number' })
    const { blockNo } = await entryOf('256772000042')
    expect((await ask(contactBlock.remove, { blockNo, version: 0, reason: 'no proof' })).code).toBe(40001)
    const { data } = await ask(contactBlock.remove, await remove(blockNo))
    expect(await blockedFor('256772000042', { kind: 'reminder', medium: 'text' })).toBe('blacklisted')
    await approve(data.approvalNo)
    expect(await blockedFor('256772000042', { kind: 'reminder', medium: 'text' })).toBe(null)
    expect(await entryOf('256772000042')).toMatchObject({ blockStatus: 'ended', endReason: 'asked to be called' })
  })

  it('end by their time, and block nothing from then on even before the night', async () => {
    const expireTime = new Date(kit.clock.now().getTime() + 600_000).toISOString()
    await block('256772000051', { expireTime })
    kit.clock.advance(1_200_000)
    expect(await blockedFor('256772000051', { kind: 'marketing', medium: 'call' })).toBe(null)
    const expire = modules[0]?.scheduled?.find(one => one.job === 'blockExpire')
    expect(await kit.db.withTx(async tx => expire?.run(tx, { date: tx.today }))).toEqual({ expired: 1 })
    expect(await entryOf('256772000051')).toMatchObject({ blockStatus: 'expired' })
  })

  it('merchant 9: keep a click, a robot and a text by hand from a relative, and count each', async () => {
    await block('256772000993', { blockReason: 'not_related', blockScopes: ['collection'] })
    const tries = [
      { kind: 'collection', medium: 'call' },
      { kind: 'collection', medium: 'robot' },
      { kind: 'collection', medium: 'text' },
    ] as const
    for (const use of tries) {
      expect(await blockedFor('256772000993', use)).toBe('blacklisted')
      await kit.db.withTx(async tx => {
        const [found] = await contactBlocksOf(tx, lists, { ...use, phones: ['256772000993'], merchantNo: 'M1' })
        if (found) await noteStop(tx, found, { ...use, merchantNo: 'M1', byName: `by ${use.medium}` })
      })
    }
    const entry = await entryOf('256772000993')
    expect(entry).toMatchObject({ blockedCount: 3 })
    const { list } = (await ask(contactBlock.stops, { blockNo: entry.blockNo })).data
    expect(list.map(one => one.medium).sort()).toEqual(['call', 'robot', 'text'])
  })

  it('count what they stopped', async () => {
    const use: ContactUse = { kind: 'marketing', medium: 'robot' }
    await kit.db.withTx(async tx => {
      const [found] = await contactBlocksOf(tx, lists, { ...use, phones: ['256772000021'], merchantNo: 'M1' })
      if (found) await noteStop(tx, found, { ...use, merchantNo: 'M1', byName: 'robot task 7' })
    })
    const entry = (await ask(contactBlock.page, { phone: '256772000021', blockStatus: ['active'] })).data.list[0]
    expect(entry).toMatchObject({ blockedCount: 1 })
    expect((await ask(contactBlock.stops, { blockNo: entry?.blockNo })).data.list).toMatchObject([
      { phone: '25********21', contactKind: 'marketing', medium: 'robot', stoppedByName: 'robot task 7' },
    ])
    expect((await ask(contactBlock.stops, {}, brand)).data.list).toEqual([])
  })

  it('are looked up with every list that they are on', async () => {
    const made = await ask(nameList.save, {
      ...{ nameListName: 'Fraud', listKind: 'black', dimension: 'phone', listEffect: 'refuse', defaultMonths: 12 },
    })
    const nameListNo = String(made.data.key)
    await ask(nameList.state, { nameListNo, enabled: true, version: 0 })
    const evidenceFile = await readyFile(kit.db, maker.userNo)
    await ask(nameList.add, { nameListNo, values: '256772000061', reasonCode: 'fraud', evidenceFile })
    await ask(teleBlock.add, { phones: '0772000061', reason: 'rude agent' })
    const { data } = await ask(contactBlock.lookup, { phone: '0772 000061' })
    expect(data.list.map(one => one.book).sort()).toEqual(['black', 'tele'])
    expect((await ask(contactBlock.lookup, { phone: '12' })).code).toBe(40001)
    // A black list keeps marketing away, and nothing else.
    expect(await blockedFor('256772000061', { kind: 'marketing', medium: 'text' })).toBe('blacklisted')
    expect(await blockedFor('256772000061', { kind: 'collection', medium: 'call' })).toBe(null)
  })
})

describe('the telemarketing blacklist', () => {
  it('keeps all marketing away and collection not; staff end it alone but for what customers said themselves', async () => {
    await ask(teleBlock.add, { phones: '0772000071', reason: 'asked' })
    expect(await blockedFor('256772000071', { kind: 'marketing', medium: 'call' })).toBe('blacklisted')
    expect(await blockedFor('256772000071', { kind: 'collection', medium: 'call' })).toBe(null)
    const checked = await ask(teleBlock.check, { phones: '0772000071, 0772000079, 99' })
    expect(checked.data.list.map(one => [one.book, one.wrong])).toEqual([
      ['tele', false],
      [null, false],
      [null, true],
    ])
    const [entry] = (await ask(teleBlock.page, { phone: '256772000071' })).data.list
    await ask(teleBlock.remove, { blockNos: [entry?.blockNo], reason: 'a mistake' })
    expect(await blockedFor('256772000071', { kind: 'marketing', medium: 'call' })).toBe(null)

    const said = {
      book: 'tele',
      phone: '256772000072',
      blockScope: 'all',
      blockSource: 'do_not_call',
      reason: 'x',
    } as const
    const actor = { no: 'system', name: 'system', requestId: 'test', ip: null }
    const blockNo = await kit.db.withTx(tx => putBlock(tx, said, 'system', actor))
    await ask(teleBlock.remove, { blockNos: [blockNo], reason: 'the customer called us' })
    expect(await blockedFor('256772000072', { kind: 'marketing', medium: 'text' })).toBe('blacklisted')
    await approve(await pendingOf(blockNo))
    expect(await blockedFor('256772000072', { kind: 'marketing', medium: 'text' })).toBe(null)
  })
})
