import { contract } from '../../core/contract/contract.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { paid, refused } from '../systems/after-loan/payout/payout-fixture.ts'
import type { House, Input } from './facts.ts'

const { intake, repay } = contract

/** Asks for something and wants it done. */
export const done = async (house: House, endpoint: Endpoint, input: Input, as = house.boss) =>
  house.must(await house.ask(endpoint, input, { as })) as Record<string, unknown>

let news = 0
/** A number that no network has used before. */
export const fresh = (prefix: string) => `${prefix}${++news}`

/** A network calls; what it says when it is asked then is what the house has been told before. */
export const calls = async (house: House, body: Input): Promise<void> => {
  await done(house, intake.callback, { channel: 'mtn_momo', ...body })
  await house.worker.drain()
}

/** A customer pays in over the network, with the pay code of an order. */
export const paysIn = async (house: House, orderNo: string, amount: string): Promise<void> => {
  const { payCode } = (await house.rowOf('order', orderNo)) as unknown as { payCode: string }
  const [receipt, time] = [fresh('IN'), house.clock.now().toISOString()]
  house.received.push({ kind: 'success', serialNo: receipt, amount, payer: '256772000031', time, externalId: payCode })
  await calls(house, { receipt })
}

/** Two people take a write-off back. */
export const undone = async (house: House, repaymentNo: string): Promise<void> => {
  const version = await house.versionOf('repaymentRecord', repaymentNo)
  const { approvalNo } = await done(house, repay.rollback, { repaymentNo, version, reason: 'wrong customer' })
  await house.agree(String(approvalNo))
}

export const codeOf = async (house: House, loanCode: string) =>
  (await house.rowOf('loanCode', loanCode)) as unknown as { cardholderName: string; walletAccount: string }

/** The network says what became of the first send of a code, and its signature proves it. */
export const proves = async (
  house: House,
  loanCode: string,
  what: 'paid' | 'refused',
  serialNo = fresh('CB'),
): Promise<void> => {
  const { walletAccount: payee } = await codeOf(house, loanCode)
  const proved = what === 'paid' ? paid({ payee, serialNo }) : refused()
  await calls(house, { externalId: `${loanCode}-1`, status: fresh('S'), payee, signature: 'good', proved })
}

/** What a command writes that asks for a second person. */
export const waits = { machine: 'M74', event: 'approval.submit', why: 'a second person must agree first' }
