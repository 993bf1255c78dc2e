import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bankBatch } from '../../../../core/contract/after-loan/bank-batch.ts'
import { loan } from '../../../../core/contract/after-loan/loan.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { formatMoney } from '../../../../core/rules/money.ts'
import type { Person } from '../../../testing/kit.ts'
import { checkBooks } from '../payout/payout-books.ts'
import { paidOut, payoutPerms } from '../payout/payout-fixture.ts'
import { type Bank, bankAccountNo, bankPerms, deskOf, openBank, opening } from './bank-fixture.ts'

let p: Bank
let officer: Person
beforeAll(async () => {
  p = await openBank()
  officer = await p.person({ perms: bankPerms })
})
beforeEach(async () => {
  await p.reset()
  await p.fund(opening, bankAccountNo)
})
afterEach(() => checkBooks(p))
afterAll(() => p.close())

const { made, handedOver, states, row } = deskOf(() => ({ p, officer }))

describe('answers', () => {
  it('decide payment by payment, and note what is still open', async () => {
    const { orders, batchNo, refs } = await handedOver(4)
    const [paid = '', refused = '', open = '', silent = ''] = refs
    const taken = await p.answered(officer, {
      batchNo,
      status: 'PART',
      payments: [
        { externalId: paid, status: 'ACSC', serialNo: 'FT1', amount: paidOut },
        { externalId: refused, status: 'RJCT', reason: 'AC04' },
        { externalId: open, status: 'PDNG' },
      ],
    })
    expect(taken.data).toMatchObject({ outcome: 'waiting', taken: 0, ignored: 0 })
    expect((await states(orders)).map(([status]) => status)).toEqual(['success', 'failed', 'remitting', 'remitting'])
    expect(await p.code(orders[0]!.loanCode)).toMatchObject({ serialNo: 'FT1' })
    expect(await p.code(orders[1]!.loanCode)).toMatchObject({ failType: 'payee_invalid' })
    expect(await p.attempt(orders[2]!.loanCode)).toMatchObject({ attemptStatus: 'sent', answerCode: 'PDNG' })
    expect(await p.attempt(orders[3]!.loanCode)).toMatchObject({ externalId: silent, answerCode: null })
    expect(await row(batchNo)).toMatchObject({
      batchStatus: 'part_answered',
      succeededCount: 1,
      failedCount: 1,
      undecidedCount: 2,
    })
    await p.answered(officer, { batchNo, payments: [{ externalId: open, status: 'ACSC', serialNo: 'FT3' }] })
    await p.answered(officer, { batchNo, payments: [{ externalId: silent, status: 'ACSC', serialNo: 'FT4' }] })
    expect(await row(batchNo)).toMatchObject({ batchStatus: 'answered', undecidedCount: 0 })
    expect(await p.postings(orders[2]!.loanCode)).toEqual(['P1a', 'P1b'])
  })

  it('of acceptance only say that the bank has the file', async () => {
    const { orders, batchNo } = await handedOver()
    await p.answered(officer, { batchNo, status: 'ACTC' })
    expect(await p.attempt(orders[0]!.loanCode)).toMatchObject({ attemptStatus: 'sent', answerCode: 'ACTC' })
  })

  it('that refuse the file for its form fail all its payments, and no other file leaves', async () => {
    const { orders, batchNo } = await handedOver(2)
    await p.answered(officer, { batchNo, status: 'RJCT', reason: 'FF01' })
    expect((await states(orders)).map(([status]) => status)).toEqual(['failed', 'failed'])
    for (const { loanCode } of orders) expect(await p.postings(loanCode)).toEqual(['P1a', 'P1c'])
    expect(await p.one(sql`select pause_status from channel where channel = 'bank_file'`)).toEqual({
      pauseStatus: 'paused',
    })
  })

  it.each(['DU01', 'AM05', 'X999'])('that refuse the file for %s leave all unknown', async reason => {
    const { orders, batchNo } = await handedOver(2)
    await p.answered(officer, { batchNo, status: 'RJCT', reason })
    expect((await states(orders)).map(([status]) => status)).toEqual(['unknown', 'unknown'])
    for (const { loanCode } of orders) expect(await p.postings(loanCode)).toEqual(['P1a'])
  })

  it('may come again and again', async () => {
    const { orders, batchNo, refs } = await handedOver()
    const answer = { answerNo: 'SAME', batchNo, payments: [{ externalId: refs[0]!, status: 'ACSC', serialNo: 'FT1' }] }
    await p.answered(officer, answer)
    expect((await p.answered(officer, answer)).data).toMatchObject({ outcome: 'repeated', taken: 0, ignored: 1 })
    await p.answered(officer, { ...answer, answerNo: 'OTHER' })
    expect(await p.postings(orders[0]!.loanCode)).toEqual(['P1a', 'P1b'])
    expect(await p.items()).toEqual([])
    expect(await p.events()).toEqual([
      { outcome: 'taken 1, ignored 0', deliveries: 2 },
      { outcome: 'taken 1, ignored 0', deliveries: 1 },
    ])
  })

  it('for a file that is not ours are kept and change nothing', async () => {
    const { orders, refs } = await handedOver()
    const payments = [{ externalId: refs[0]!, status: 'ACSC', serialNo: 'FT1' }]
    const taken = await p.answered(officer, { batchNo: 'BB000000', payments })
    expect(taken.data).toMatchObject({ outcome: 'foreign', taken: 0, ignored: 1 })
    expect((await states(orders))[0]![0]).toBe('remitting')
    expect(await p.events()).toEqual([{ outcome: 'foreign', deliveries: 1 }])
  })

  it('of somebody who may not see the file are kept like one for no file, and still taken in from a person who may', async () => {
    const stranger = await p.person({ perms: bankPerms, limit: 'own_merchants', merchants: ['M2'] })
    const { orders, batchNo, refs } = await handedOver()
    const answer = { answerNo: 'A1', batchNo, payments: [{ externalId: refs[0]!, status: 'ACSC', serialNo: 'FT1' }] }
    const kept = { outcome: 'foreign', taken: 0, ignored: 1, approvalNo: null }
    expect((await p.answered(stranger, answer)).data).toEqual(kept)
    expect((await states(orders))[0]![0]).toBe('remitting')
    expect((await p.answered(officer, answer)).data.outcome).toBe('waiting')
    expect((await p.answered(stranger, answer)).data).toEqual(kept)
    expect((await states(orders))[0]![0]).toBe('success')
    expect(await p.events()).toEqual([{ outcome: 'taken 1, ignored 0', deliveries: 3 }])
  })

  it('leave payments of another file alone', async () => {
    const first = await handedOver()
    const second = await handedOver()
    const payments = [
      { externalId: first.refs[0]!, status: 'RJCT', reason: 'AC04' },
      { externalId: second.refs[0]!, status: 'ACSC', serialNo: 'FT2' },
    ]
    expect((await p.answered(officer, { batchNo: second.batchNo, payments })).data).toMatchObject({
      outcome: 'waiting',
      taken: 0,
      ignored: 1,
    })
    expect((await states(first.orders))[0]![0]).toBe('remitting')
    expect((await states(second.orders))[0]![0]).toBe('success')
  })

  it('for a file that was never handed over are no answers to it', async () => {
    const { orders, batchNo, refs } = await made()
    const payments = [{ externalId: refs[0]!, status: 'ACSC', serialNo: 'FT1' }]
    expect((await p.answered(officer, { batchNo, payments })).data.outcome).toBe('foreign')
    expect((await p.attempt(orders[0]!.loanCode)).attemptStatus).toBe('prepared')
  })

  it.each([{ count: 2 }, { sum: '1.00' }])('that read another file (%j) are only kept', async read => {
    const { orders, batchNo, refs } = await handedOver()
    const payments = [{ externalId: refs[0]!, status: 'ACSC', serialNo: 'FT1' }]
    expect((await p.answered(officer, { batchNo, ...read, payments })).data.outcome).toBe('differs')
    expect((await states(orders))[0]![0]).toBe('remitting')
  })

  it.each([{ status: 'ACSC', serialNo: 'FT1' }, { status: 'RJCT', reason: 'AC04' }, { status: 'PDNG' }])(
    'that speak of another amount (%j) decide nothing and open an item',
    async said => {
      const { orders, batchNo, refs } = await handedOver()
      await p.answered(officer, { batchNo, payments: [{ externalId: refs[0]!, amount: '5.00', ...said }] })
      expect((await states(orders))[0]![0]).toBe('unknown')
      expect(await p.items()).toEqual([
        {
          reconKind: 'amount_differs',
          reference: refs[0],
          difference: (5 - Number(paidOut)).toFixed(2),
        },
      ])
    },
  )

  it('that contradict an earlier one never undo a payment', async () => {
    const { orders, batchNo, refs } = await handedOver()
    await p.answered(officer, { batchNo, payments: [{ externalId: refs[0]!, status: 'ACSC', serialNo: 'FT1' }] })
    await p.answered(officer, { batchNo, payments: [{ externalId: refs[0]!, status: 'RJCT', reason: 'AC04' }] })
    expect((await states(orders))[0]![0]).toBe('success')
    expect((await p.items()).map(({ reconKind }) => reconKind)).toEqual(['late_contradiction'])
  })

  it('of success after a failure are taken while nothing newer was made', async () => {
    const { orders, batchNo, refs } = await handedOver()
    await p.answered(officer, { batchNo, payments: [{ externalId: refs[0]!, status: 'RJCT', reason: 'MS03' }] })
    await p.answered(officer, { batchNo, payments: [{ externalId: refs[0]!, status: 'ACSC', serialNo: 'FT1' }] })
    expect(await p.postings(orders[0]!.loanCode)).toEqual(['P1a', 'P1c', 'P1a', 'P1b'])
  })

  it('that a person brings count once a second one has agreed, with their own code, to what it says', async () => {
    const { orders, batchNo, refs } = await handedOver(2)
    const [paid = '', refused = ''] = refs
    const payments = [
      { externalId: paid, status: 'ACSC', serialNo: 'FT1' },
      { externalId: refused, status: 'RJCT', reason: 'AC04' },
    ]
    const answer = { answerNo: 'HAND', batchNo, payments }
    const { approvalNo } = (await p.bring(officer, answer)).data
    await p.run()
    expect((await states(orders)).map(([status]) => status)).toEqual(['remitting', 'remitting'])
    expect(await p.bring(officer, { ...answer, answerNo: 'OTHER' })).toMatchObject({ code: 40901 })
    const perms = [...bankPerms, 'fund:payout:bankFile:check']
    const approve = (as: Person, unproven?: true) =>
      p.call(
        contract.common.approve,
        { approvalNo: String(approvalNo), version: 0 },
        { as, ...(unproven ? { unproven } : {}) },
      )
    expect(await approve(officer)).toMatchObject({ code: 40301 })
    expect(await approve(await p.person({ perms: bankPerms }))).toMatchObject({ code: 40301 })
    const checker = await p.person({ perms })
    expect(await approve(checker, true)).toMatchObject({ code: 40302 })
    const shown = `1 · UGX ${formatMoney(paidOut)}`
    expect((await approve(checker)).data).toMatchObject({
      approvalStatus: 'executed',
      summary: expect.arrayContaining([
        expect.objectContaining({ label: 'Arrived', after: shown }),
        expect.objectContaining({ label: 'Did not arrive', after: shown }),
        expect.objectContaining({ label: 'Still open', after: '0 · UGX 0' }),
      ]),
    })
    await p.run()
    expect((await states(orders)).map(([status]) => status)).toEqual(['success', 'failed'])
    expect((await p.events()).map(({ outcome }) => outcome)).toContain('taken 2, ignored 0')
  })

  it('that the second person rejects change nothing, and can be brought again', async () => {
    const { orders, batchNo, refs } = await handedOver()
    const answer = { answerNo: 'AGAIN', batchNo, payments: [{ externalId: refs[0]!, status: 'RJCT', reason: 'AC04' }] }
    const approvalNo = String((await p.bring(officer, answer)).data.approvalNo)
    const checker = await p.person({ perms: [...bankPerms, 'fund:payout:bankFile:check'] })
    await p.call(contract.common.reject, { approvalNo, version: 0, reason: 'not the bank' }, { as: checker })
    await p.run()
    expect((await states(orders))[0]?.[0]).toBe('remitting')
    expect(await p.events()).toEqual([{ outcome: 'rejected', deliveries: 1 }])
    expect((await p.answered(officer, answer)).data).toMatchObject({ outcome: 'waiting' })
    expect((await states(orders))[0]?.[0]).toBe('failed')
  })

  it('that cannot be read are kept, and said to be so', async () => {
    const content = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document>&e;</Document>'
    const taken = await p.call(bankBatch.answer, { fileName: 'bad.xml', content }, { as: officer })
    expect(taken.data).toMatchObject({ outcome: 'unreadable', taken: 0, ignored: 0 })
    expect(await p.events()).toEqual([{ outcome: 'unreadable', deliveries: 1 }])
  })

  it('are kept without names and account numbers of payees', async () => {
    const { batchNo, refs } = await handedOver()
    const content =
      `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><GrpHdr><MsgId>M</MsgId></GrpHdr>` +
      `<OrgnlGrpInfAndSts><OrgnlMsgId>${batchNo}</OrgnlMsgId></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><TxInfAndSts><OrgnlEndToEndId>${refs[0]}</OrgnlEndToEndId><TxSts>PDNG</TxSts>` +
      `<OrgnlTxRef><Cdtr><Nm>Grace Nakato</Nm></Cdtr><CdtrAcct><Id><Othr><Id>9030001234501</Id></Othr></Id></CdtrAcct></OrgnlTxRef></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`
    await p.call(bankBatch.answer, { fileName: 'named.xml', content }, { as: officer })
    const { body } = await p.one<{ body: string }>(sql`select body from inbound_event`)
    expect(body).not.toContain('Nakato')
    expect(body).not.toContain('9030001234501')
    expect(body).toContain(String(refs[0]))
  })
})

describe('a payment that failed', () => {
  it('goes into the next file only when a person sends it again, under a new reference', async () => {
    const { orders, batchNo, refs } = await handedOver()
    await p.answered(officer, { batchNo, payments: [{ externalId: refs[0]!, status: 'RJCT', reason: 'MS03' }] })
    expect((await p.preview(officer))?.paymentCount).toBe(0)
    const payout = await p.person({ perms: payoutPerms })
    const { loanCode } = orders[0]!
    await p.call(loan.retry, { loanCodes: [loanCode] }, { as: payout })
    await p.run()
    const again = (await p.make(officer)).data.batchNo
    expect((await p.batch(again)).fileText).toContain(`<EndToEndId>${loanCode}-2</EndToEndId>`)
    expect(again).not.toBe(batchNo)
  })
})
