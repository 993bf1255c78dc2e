import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import { add, type Money, sum } from '../../../core/rules/money.ts'
import { eatDate } from '../../../core/rules/time.ts'
import type { StatementLine } from '../../../server/gateways/gateway.ts'
import { none, paidOut, refused } from '../../../server/modules/payout-fixture.ts'
import { signedOf } from '../../../server/modules/statement-store.ts'
import type { House } from '../../contract/house.ts'
import { proves } from './payout.ts'
import { done, fresh, paysIn, type Way, way } from './way.ts'

type Told = Partial<StatementLine> & Pick<StatementLine, 'serialNo' | 'direction' | 'amount'>

const { loan, recon } = contract

let closing: Money = '0.00'
/** The day ends, the network has this to say of it, and the books are compared with that. */
export const endsDay = async (house: House, lines: readonly Told[]): Promise<void> => {
  const now = house.clock.now()
  const blank = { lineKind: 'payment', reference: null, relatesTo: null, payerAccount: null, narrative: null } as const
  const said = lines.map((line): StatementLine => ({ ...blank, time: now.toISOString(), ...line }))
  const opening = closing
  closing = add(opening, sum(said.map(signedOf)))
  house.network.statements.set(eatDate(now), { opening, closing, lines: said })
  await house.pass(24 * 60)
  await house.tick('statement.fetch')
  await house.worker.drain()
}

const sentTo = async (house: House, loanCode: string) => {
  const { payee, serialNo } = await house.one(sql<{ payee: string; serialNo: string }>`
    select payee, serial_no from gateway_attempt where external_id = ${`${loanCode}-1`}`)
  return { payerAccount: payee, serialNo, direction: 'out', amount: paidOut } as const
}

const itemOf = async (house: House, loanCode: string, kind: string): Promise<string> => {
  const { no } = await house.one(sql<{ no: string }>`
    select recon_item_no as no from recon_item where object_no = ${loanCode} and recon_kind = ${kind}`)
  return no
}

/** A code that waits because the send before it was paid after all, and the difference that this is. */
export const blocked = async (house: House) => {
  const { loanCode } = await house.sent('M1', refused())
  await house.exec(sql`update channel set paused = true`)
  await done(house, loan.retry, { loanCodes: [loanCode] })
  await proves(house, loanCode, 'paid')
  await house.exec(sql`update channel set paused = false`)
  return { loanCode, reconItemNo: await itemOf(house, loanCode, 'paid_not_expected') }
}

/** What settles the payment that nobody expected: it is lost. */
export const lossOf = async (house: House, reconItemNo: string) => ({
  reconItemNo,
  version: await house.versionOf('reconItem', reconItemNo),
  lines: [
    { account: 'payout_exception', side: 'credit', amount: paidOut },
    { account: 'other_expense', side: 'debit', amount: paidOut },
  ],
  reason: 'not given back',
})

/** A blocked code whose earlier payment was written off. */
export const settled = async (house: House): Promise<string> => {
  const { loanCode, reconItemNo } = await blocked(house)
  const { approvalNo } = await done(house, recon.adjust, await lossOf(house, reconItemNo))
  await house.agree(String(approvalNo))
  return loanCode
}

export const unblocking = async (house: House, loanCode: string) => ({
  loanCode,
  version: await house.versionOf('loanCode', loanCode),
  reason: 'settled',
})

/** A success that the network denied later. */
export const contradicted = async (house: House): Promise<string> => {
  const { loanCode } = await house.disbursed()
  await proves(house, loanCode, 'refused')
  return itemOf(house, loanCode, 'late_contradiction')
}

/** A line and the booking of a payout without an answer, which only people can tell are the same. */
export const unlike = async (house: House) => {
  const { loanCode } = await house.sent('M1', none)
  const serialNo = fresh('XM')
  await endsDay(house, [{ serialNo, direction: 'out', amount: paidOut }])
  const { lineNo } = await house.one(
    sql<{ lineNo: string }>`select line_no from statement_line where serial_no = ${serialNo}`,
  )
  const { journalNo } = await house.one(
    sql<{
      journalNo: number
    }>`select journal_no from journal_line where loan_code = ${loanCode} and account_code = 'bank:FA1'`,
  )
  return { lineNo, journalNo }
}

/** What statements and books make of each other. */
export const reconWays: readonly Way[] = [
  way('statements are compared with the books, three days long', async house => {
    const [shown, late] = [await house.disbursed(), await house.disbursed()]
    await paysIn(house, shown.orderNo, '20000.00')
    const { serialNo: receipt } = await house.one(
      sql<{
        serialNo: string
      }>`select serial_no from repay_flow where source = 'callback' order by created_time desc limit 1`,
    )
    const [unknown, twice] = [await house.sent('M1', none), await house.sent('M1', none)]
    const [known, alike] = [fresh('XB'), await sentTo(house, twice.loanCode)]
    await endsDay(house, [
      await sentTo(house, shown.loanCode),
      { serialNo: receipt, direction: 'in', amount: '20000.00' },
      { serialNo: fresh('XI'), direction: 'in', amount: '7000.00', payerAccount: '256772999000', reference: 'rent' },
      { ...(await sentTo(house, unknown.loanCode)), serialNo: known },
      { ...alike, serialNo: fresh('XC') },
    ])
    await proves(house, unknown.loanCode, 'paid', known)
    await endsDay(house, [{ ...alike, serialNo: fresh('XC') }])
    await endsDay(house, [await sentTo(house, late.loanCode)])
  }),
  way('a blocked payout is released once the payment before it is written off', async house => {
    const loanCode = await settled(house)
    const { approvalNo } = await done(house, recon.unblock, await unblocking(house, loanCode))
    await house.agree(String(approvalNo))
    await house.worker.drain()
  }),
]
