import type { Application } from '../../core/contract/order/intake.ts'
import type { Fixture } from './facts.ts'
import { application, send } from './partner.ts'

let applicants = 50_000
/** An application that machine review has not looked at. */
export const applied = async (fixture: Fixture, device: Partial<Application['device']> = {}) => {
  const drawn = application(++applicants)
  fixture.network.holders.set(drawn.payout.walletAccount, drawn.payout.cardholderName)
  const body = {
    ...drawn,
    customer: { ...drawn.customer, birthDate: '1990-05-05', monthlyIncome: '2000000.00' },
    device: { ...drawn.device, rooted: false, emulator: false, ...device },
  }
  return (fixture.must(await send(fixture, body)) as { orderNo: string }).orderNo
}
