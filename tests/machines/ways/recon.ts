import { sql } from 'kysely'
import { add, type Money, sum } from '../../../core/rules/money.ts'
import { eatDate } from '../../../core/rules/time.ts'
import type { StatementLine } from '../../../server/gateways/gateway.ts'
import { none, paidOut } from '../../../server/modules/payout-fixture.ts'
import { signedOf } from '../../../server/modules/statement-store.ts'
import type { House } from '../../contract/house.ts'
import { proves } from './payout.ts'
import { fresh, paysIn, type Way, way } from './way.ts'

type Told = Partial<StatementLine> & Pick<StatementLine, 'serialNo' | 'direction' | 'amount'>

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
]
