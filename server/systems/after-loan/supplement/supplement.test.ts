import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { text } from '../../../../core/i18n/server.ts'
import { GatewayUnavailable, type ReadStatement } from '../../../gateways/gateway.ts'
import { system } from '../../../rights/actor.ts'
import { create } from '../../../states/transition.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { officerPerms } from '../../../testing/repay-desk.ts'
import { deskForTests } from '../../../testing/suites.ts'
import { askChannel } from './supplement-known.ts'

const { repay, supplement } = contract
type Input = InputOf<typeof supplement.submit>

const { desk } = await deskForTests()
const perms = [...officerPerms, 'repay:supplement:page']
const officer = await desk.officer({ perms })
let orderNo: string
let n = 0
beforeEach(async () => {
  orderNo = await desk.order()
})

const payCode = async () =>
  (await desk.rows(sql<{ payCode: string }>`select pay_code from loan_order where order_no = ${orderNo}`))[0]
    ?.payCode ?? ''
/** Files of this desk are alike unless their sums are changed. */
const file = async (sha256 = String(++n).padStart(64, 'a'), as = officer) => {
  const uploadNo = await readyFile(desk.db, as.userNo)
  await desk.db.withTx(tx => tx.exec(sql`update upload set file_sha256 = ${sha256} where upload_no = ${uploadNo}`))
  return uploadNo
}
const given = async (more: Partial<Input> = {}): Promise<Input> => ({
  fundAccountNo: 'FA1',
  serialNo: `SHOWN${++n}`,
  amount: '50000.00',
  entryTime: desk.clock.now().toISOString(),
  paymentCode: await payCode(),
  orderNo,
  attachNos: [await file()],
  ...more,
})
const send = async (more: Partial<Input> = {}) => {
  const input = await given(more)
  return { input, ...(await desk.call(supplement.submit, input, { as: officer })) }
}
const onStatement = (serialNo: string, amount: string) =>
  desk.db.withTx(async tx => {
    const no = String(++n)
    await tx.exec(sql`
      insert into statement (statement_no, fund_account_no, statement_date, opening, closing, line_sum, line_count, source, file_hash, created_by, created_time)
      values (${`ST${no}`}, 'FA1', ${`2025-01-${no.padStart(2, '0').slice(-2)}`}, 0, 0, 0, 0, 'channel', ${no}, 'system', ${tx.now})`)
    const line = { lineNo: `SL${no}`, statementNo: `ST${no}`, fundAccountNo: 'FA1', statementDate: '2025-01-01' }
    const said = { serialNo, direction: 'in', lineKind: 'payment', amount, entryTime: tx.now }
    await create(tx, 'statementLine', { ...line, ...said }, { event: 'line.import' }, system('test'))
  })
const decide = async (supplementNo: string, more: { seenInPortal?: boolean } = {}, as?: typeof officer) =>
  desk.call(supplement.approve, { supplementNo, version: 0, ...more }, { as: as ?? (await desk.officer({ perms })) })

describe('what the channel answers', () => {
  const line = {
    serialNo: 'S1',
    direction: 'in',
    lineKind: 'payment',
    amount: '500.00',
    time: '',
    reference: null,
    relatesTo: null,
    payerAccount: null,
    narrative: null,
  } as const
  const says: ReadStatement = async () => ({ opening: '0.00', closing: '500.00', lines: [line] })
  const silent: ReadStatement = async () => {
    throw new GatewayUnavailable('no answer')
  }
  const claim = { fundAccountNo: 'FA1', serialNo: 'S1', entryTime: '2026-03-01T08:00:00Z', amount: '500.00' }
  const asked = { claim, channel: 'mtn_momo', merchants: [], today: '2026-03-02', readers: [says] }
  it.each([
    ['the same amount', asked, 'confirmed'],
    ['another amount', { ...asked, claim: { ...claim, amount: '700.00' } }, 'other_amount'],
    ['no such number', { ...asked, claim: { ...claim, serialNo: 'S2' } }, 'denied'],
    ['a day that is not over', { ...asked, today: '2026-03-01' }, 'not_closed'],
    ['nothing', { ...asked, readers: [silent] }, 'unavailable'],
    ['nobody', { ...asked, readers: [] }, 'cannot'],
  ])('%s', async (_, one, channelAnswer) => {
    expect(await askChannel(one)).toMatchObject({ channelAnswer })
  })
})

describe('a receipt that a customer shows', () => {
  it('is no money until somebody else decides, by the line of the statement', async () => {
    const before = await desk.balance('bank:FA1')
    const { input, data } = await send()
    expect(data).toMatchObject({ flowStatus: 'supplement_review' })
    expect(await desk.balance('bank:FA1')).toBe(before)
    await onStatement(input.serialNo, '50000.00')
    expect(await decide(data.supplementNo, {}, officer)).toMatchObject({ code: 40301 })
    expect((await decide(data.supplementNo)).data).toMatchObject({ flowStatus: 'available', flowNo: data.flowNo })
    expect(Number(await desk.balance('bank:FA1')) - Number(before)).toBe(50_000)
    expect((await decide(data.supplementNo)).code).toBe(40901)
  })

  it('is booked without a line only by who says that they saw it in the portal', async () => {
    const { data } = await send()
    const asked = await decide(data.supplementNo)
    expect(asked).toMatchObject({ code: 40002, msg: text('en', 'errors.supplementNotOnStatement') })
    expect((await decide(data.supplementNo, { seenInPortal: true })).data).toMatchObject({ flowStatus: 'available' })
    const { list } = (await desk.call(supplement.page, { supplementNo: data.supplementNo }, { as: officer })).data
    expect(list).toMatchObject([{ seenInPortal: true, statementMatch: 'not_found', reviewerName: expect.any(String) }])
  })

  it('is not booked with an amount that the statement contradicts', async () => {
    const { input, data } = await send()
    await onStatement(input.serialNo, '45000.00')
    expect(await decide(data.supplementNo, { seenInPortal: true })).toMatchObject({
      code: 40901,
      msg: text('en', 'errors.supplementOtherAmount', { line: '45,000', given: '50,000' }),
    })
  })

  it('is refused with a known number, the number of an order, before the payout, and for an order of another account', async () => {
    const { input } = await send()
    const again = await send({ serialNo: input.serialNo })
    expect(again).toMatchObject({ code: 40001, data: { fields: [{ path: 'serialNo' }] } })
    expect((await send({ serialNo: orderNo })).msg).toBe(text('en', 'validation.serialIsOrderNo'))
    const early = await send({ entryTime: '2020-01-01T08:00:00Z' })
    expect(early).toMatchObject({ code: 40001, data: { fields: [{ path: 'entryTime' }] } })
  })

  it('says that its file was used before, and takes it only after that was seen', async () => {
    const hash = 'b'.repeat(64)
    const first = await send({ attachNos: [await file(hash)] })
    const attachNos = [await file(hash)]
    expect(await send({ attachNos })).toMatchObject({
      code: 40002,
      msg: text('en', 'errors.proofUsedBefore', { list: first.data.supplementNo }),
    })
    const second = await send({ attachNos, sameProofSeen: true })
    const { data } = await desk.call(supplement.detail, { supplementNo: second.data.supplementNo }, { as: officer })
    expect(data.earlier).toMatchObject([{ supplementNo: first.data.supplementNo, sameProof: ['file'] }])
  })

  it('is void once it is rejected, and its number may be sent again', async () => {
    const { input, data } = await send()
    const other = await desk.officer({ perms })
    const { supplementNo } = data
    const rejected = await desk.call(
      supplement.reject,
      { supplementNo, version: 0, reason: 'not readable' },
      { as: other },
    )
    expect(rejected.data).toMatchObject({ flowStatus: 'void' })
    const { data: known } = await desk.call(
      supplement.check,
      { fundAccountNo: 'FA1', serialNo: input.serialNo },
      { as: officer },
    )
    expect(known).toMatchObject({ flowNo: null })
  })
})

describe('the network announces it meanwhile', () => {
  const heard = async (serialNo: string, amount: string) => {
    const time = desk.clock.now().toISOString()
    const says = {
      kind: 'success' as const,
      serialNo,
      amount,
      payer: '256770000111',
      time,
      externalId: await payCode(),
    }
    return desk.hear(`30000000-0000-4000-8000-${String(++n).padStart(12, '0')}`, { status: 'SUCCESSFUL', amount }, says)
  }
  const statusOf = async (flowNo: string) =>
    (await desk.call(repay.flows, { flowNo }, { as: officer })).data.list[0]?.flowStatus

  it('with the same amount: that is its proof, and it is written off', async () => {
    const { input, data } = await send()
    expect(await heard(input.serialNo, input.amount)).toMatch(/^written_off/)
    expect(await statusOf(data.flowNo)).toBe('exhausted')
    expect((await decide(data.supplementNo, { seenInPortal: true })).code).not.toBe(0)
  })

  it('with another amount: that one is booked, and the supplement ends', async () => {
    const { input, data } = await send()
    expect(await heard(input.serialNo, '30000.00')).toMatch(/^written_off/)
    expect(await statusOf(data.flowNo)).toBe('void')
  })
})
