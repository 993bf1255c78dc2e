import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { text } from '../../../../core/i18n/server.ts'
import { system } from '../../../rights/actor.ts'
import { create } from '../../../states/transition.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { repay, common } = contract
type Entry = InputOf<typeof repay.flowSave>

const { desk, officer } = await deskForTests()
let orderNo: string
let n = 0
const refOf = () => `20000000-0000-4000-8000-${String(++n).padStart(12, '0')}`
beforeEach(async () => {
  orderNo = await desk.order()
})

const payCode = async (of = orderNo) =>
  (await desk.rows(sql<{ payCode: string }>`select pay_code from loan_order where order_no = ${of}`))[0]?.payCode ?? ''
const enter = async (more: Partial<Entry> = {}, as = officer) => {
  const entry = {
    paymentChannel: 'mtn_momo' as const,
    serialNo: `PROOF${++n}`,
    amount: '50000.00',
    entryTime: desk.clock.now().toISOString(),
    fundAccountNo: 'FA1',
    paymentCode: await payCode(),
    commit: true,
    ...more,
  }
  return { entry, ...(await desk.call(repay.flowSave, entry, { as })) }
}
type Entered = Awaited<ReturnType<typeof enter>>
const formOf = ({ entry, data }: Entered, as: 'typed' | 'picked' = 'picked') => ({
  orderNo,
  repayType: 'partial' as const,
  flows: [
    desk.typed(entry.amount, {
      serialNo: as === 'typed' ? `${entry.serialNo}-T` : entry.serialNo,
      entryTime: entry.entryTime,
      ...(as === 'typed' ? {} : { flowNo: data.flowNo }),
    }),
  ],
})
const committing = async (form: ReturnType<typeof formOf>) => {
  const { data } = await desk.call(repay.trial, form, { as: officer })
  const [order] = await desk.rows(
    sql<{ version: number }>`select version from loan_order where order_no = ${form.orderNo}`,
  )
  const { trialKey, flags } = data
  return desk.call(repay.commit, { ...form, version: order?.version ?? 0, trialKey, ...flags }, { as: officer })
}
const flowRow = async (serialNo: string) =>
  (await desk.call(repay.flows, { serialNo }, { as: officer })).data.list[0] as NonNullable<
    Awaited<ReturnType<typeof desk.detail>>['flows'][number]
  >

describe('a receipt that staff typed', () => {
  it('settles nothing alone, picked or typed into the form, and says so in words', async () => {
    const before = await desk.balance('bank:FA1')
    const entered = await enter()
    expect(entered.data).toMatchObject({ flowStatus: 'unproven' })
    expect(await flowRow(entered.entry.serialNo)).toMatchObject({
      flowStatus: 'unproven',
      waitReason: 'unproven',
      proof: null,
      isrecord: false,
    })
    for (const as of ['picked', 'typed'] as const) {
      const form = formOf(entered, as)
      const serialNo = form.flows[0]?.serialNo ?? ''
      expect((await desk.call(repay.trial, form, { as: officer })).data).toMatchObject({ unproven: [serialNo] })
      expect(await committing(form)).toMatchObject({
        code: 40901,
        msg: text('en', 'errors.receiptUnproven', { serialNo }),
        data: { fields: [{ path: 'flows.0.serialNo' }] },
      })
    }
    const { records, order } = await desk.detail(officer, orderNo)
    expect([records, order.paidAmount]).toEqual([[], '0.00'])
    expect(await desk.balance('bank:FA1')).toBe(before)
  })

  it('is entered at once only by those who may commit it', async () => {
    const clerk = await desk.officer({ perms: ['repay:flow:list', 'repay:flow:save'] })
    expect((await enter({}, clerk)).code).toBe(40301)
    expect((await enter({ commit: false }, clerk)).data).toMatchObject({ flowStatus: 'draft' })
    expect(await enter({ paymentCode: undefined })).toMatchObject({
      code: 40001,
      msg: text('en', 'validation.writeOffIncomplete'),
    })
  })

  it('waives no penalty by the time that was typed, until that time is proven', async () => {
    const other = await desk.officer()
    await desk.until('2026-03-12')
    const entered = await enter({ entryTime: '2026-03-10T09:00:00Z' })
    const tried = () => desk.call(repay.trial, formOf(entered), { as: officer })
    expect((await tried()).data).toMatchObject({ valueDate: '2026-03-12', reversedPenalty: '0.00' })
    const chosen = await desk.call(repay.trial, { ...formOf(entered), valueDate: '2026-03-10' }, { as: officer })
    expect(chosen.msg).toBe(text('en', 'errors.valueDateBeforeArrival'))
    await desk.confirm(other, entered.data.flowNo)
    const proven = (await tried()).data
    expect(proven).toMatchObject({ valueDate: '2026-03-10', unproven: [] })
    expect(Number(proven.reversedPenalty)).toBeGreaterThan(0)
  })
})

describe('the record of the channel', () => {
  it('proves number and amount, with the time at which the money really came', async () => {
    const entered = await enter({ entryTime: '2026-03-12T06:00:00Z' })
    const time = '2026-03-12T06:30:00.000Z'
    const { serialNo, amount } = entered.entry
    const externalId = await payCode()
    const says = { kind: 'success' as const, serialNo, amount, payer: '256770000111', time, externalId }
    expect(await desk.hear(refOf(), { status: 'SUCCESSFUL', amount }, says)).toMatch(/^written_off/)
    expect(await flowRow(serialNo)).toMatchObject({
      flowNo: entered.data.flowNo,
      flowStatus: 'exhausted',
      proof: 'channel',
      isrecord: true,
      waitReason: null,
      entryTime: time,
    })
    expect((await desk.detail(officer, orderNo)).order.paidAmount).toBe(amount)
  })

  it('of another amount ends what was typed, and the money of the record counts', async () => {
    const entered = await enter({ amount: '90000.00' })
    const { serialNo } = entered.entry
    const time = desk.clock.now().toISOString()
    const says = {
      kind: 'success' as const,
      serialNo,
      amount: '9000.00',
      payer: '256770000111',
      time,
      externalId: 'none',
    }
    await desk.hear(refOf(), { status: 'SUCCESSFUL', amount: '9000.00' }, says)
    expect(
      await desk.rows(
        sql`select flow_status, amount, source from repay_flow where serial_no = ${serialNo} order by source`,
      ),
    ).toEqual([
      { flowStatus: 'available', amount: '9000.00', source: 'callback' },
      { flowStatus: 'void', amount: '90000.00', source: 'typed' },
    ])
  })

  it('on a statement that is there already proves it as it is committed', async () => {
    const serialNo = `PROOF${++n}`
    await desk.exec(sql`
      insert into statement (statement_no, fund_account_no, statement_date, source, opening, closing, line_sum, line_count, file_hash, created_by, created_time)
      values ('ST1', 'FA1', '2026-03-01', 'channel', 0, 100000, 100000, 2, 'hash', 'system', ${desk.clock.now()})`)
    const wrong = `PROOF${++n}`
    await desk.db.withTx(async tx => {
      for (const no of [serialNo, wrong]) {
        const said = {
          serialNo: no,
          direction: 'in',
          lineKind: 'payment',
          amount: '50000.00',
          entryTime: '2026-03-12T05:00:00Z',
        }
        const line = {
          ...said,
          lineNo: `SL${no}`,
          statementNo: 'ST1',
          fundAccountNo: 'FA1',
          statementDate: '2026-03-01',
        }
        await create(tx, 'statementLine', line, { event: 'line.import' }, system('test'))
      }
    })
    expect((await enter({ serialNo: wrong, amount: '49999.00' })).data.flowStatus).toBe('unproven')
    const entered = await enter({ serialNo })
    expect(entered.data.flowStatus).toBe('available')
    expect(await flowRow(serialNo)).toMatchObject({ proof: 'statement', entryTime: '2026-03-12T05:00:00.000Z' })
  })
})

describe('a second person', () => {
  const ask = async (flowNo: string, as = officer) => {
    const evidence = await readyFile(desk.db, as.userNo)
    return { evidence, ...(await desk.call(repay.flowConfirm, { flowNo, version: 1, evidence }, { as })) }
  }
  const checkPerms = ['repay:flow:list', 'repay:flow:commit', 'repay:flow:commit:check']

  it('confirms it by evidence, seeing what was typed, and only then it may be written off', async () => {
    const entered = await enter()
    const { flowNo } = entered.data
    const asked = await ask(flowNo)
    expect(await flowRow(entered.entry.serialNo)).toMatchObject({ pendingApproval: asked.data.approvalNo })
    const { data } = await desk.agree(asked.data.approvalNo)
    expect(data).toMatchObject({
      approvalStatus: 'executed',
      summary: expect.arrayContaining([
        expect.objectContaining({ after: entered.entry.serialNo }),
        expect.objectContaining({ after: 'UGX 50,000' }),
        expect.objectContaining({ after: 'statement.pdf' }),
      ]),
    })
    expect(await flowRow(entered.entry.serialNo)).toMatchObject({ flowStatus: 'available', proof: 'person' })
    expect((await committing(formOf(entered))).code).toBe(0)
  })

  it('is neither who asked nor who typed it, and has the right to confirm', async () => {
    const maker = await desk.officer({ perms: [...checkPerms, 'repay:flow:save'] })
    const entered = await enter({}, maker)
    const { flowNo } = entered.data
    const asked = await ask(flowNo, officer)
    const { approvalNo } = asked.data
    const approve = (as = officer) => desk.call(common.approve, { approvalNo, version: 0 }, { as })
    expect(await approve()).toMatchObject({ code: 40301 })
    expect(await approve(await desk.officer())).toMatchObject({ code: 40301 })
    expect(await approve(maker)).toMatchObject({ code: 40301, msg: text('en', 'errors.makerChecker') })
    expect(await flowRow(entered.entry.serialNo)).toMatchObject({ flowStatus: 'unproven' })
  })

  it('is not asked without a file, and the file stays with the receipt', async () => {
    const entered = await enter()
    const { flowNo } = entered.data
    const without = await desk.call(repay.flowConfirm, { flowNo, version: 1, evidence: '' }, { as: officer })
    expect(without.code).toBe(40001)
    await ask(flowNo)
    expect(await desk.rows(sql`select rests_on from attachment where object_no = ${flowNo}`)).toEqual([
      { restsOn: 'flow.confirm' },
    ])
  })

  it('is not asked about a draft, or about what counts already', async () => {
    const draft = await enter({ commit: false })
    const evidence = await readyFile(desk.db, officer.userNo)
    const input = { flowNo: draft.data.flowNo, version: 0, evidence }
    expect((await desk.call(repay.flowConfirm, input, { as: officer })).code).toBe(40901)
    const counts = await enter()
    await desk.confirm(officer, counts.data.flowNo)
    expect((await ask(counts.data.flowNo)).code).toBe(40902)
  })
})
