import { contract } from '../../core/contract/contract.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { paid, refused } from '../systems/after-loan/payout/payout-fixture.ts'
import type { Fixture, Input } from './facts.ts'

const { intake, repay } = contract

/** Asks for something and wants it done. */
export const done = async (fixture: Fixture, endpoint: Endpoint, input: Input, as = fixture.boss) =>
  fixture.must(await fixture.ask(endpoint, input, { as })) as Record<string, unknown>

let news = 0
/** A number that no network has used before. */
export const fresh = (prefix: string) => `${prefix}${++news}`

/** A network calls back; its answer to the query that follows was scripted before. */
export const calls = async (fixture: Fixture, body: Input): Promise<void> => {
  await done(fixture, intake.callback, { channel: 'mtn_momo', ...body })
  await fixture.worker.drain()
}

/** A customer pays in over the network, with the pay code of an order. */
export const paysIn = async (fixture: Fixture, orderNo: string, amount: string): Promise<void> => {
  const { payCode } = (await fixture.rowOf('order', orderNo)) as unknown as { payCode: string }
  const [receipt, time] = [fresh('IN'), fixture.clock.now().toISOString()]
  fixture.received.push({
    kind: 'success',
    serialNo: receipt,
    amount,
    payer: '256772000031',
    time,
    externalId: payCode,
  })
  await calls(fixture, { receipt })
}

/** Two people take a write-off back. */
export const undone = async (
  fixture: Fixture,
  repaymentNo: string,
  rollbackAs: 'plain' | 'settle' | 'extension' = 'plain',
): Promise<void> => {
  const version = await fixture.versionOf('repaymentRecord', repaymentNo)
  const { approvalNo } = await done(fixture, repay.rollback, {
    ...{ repaymentNo, version, rollbackAs },
    reason: 'wrong customer',
  })
  await fixture.agree(String(approvalNo))
}

export const codeOf = async (fixture: Fixture, loanCode: string) =>
  (await fixture.rowOf('loanCode', loanCode)) as unknown as { cardholderName: string; walletAccount: string }

/** The network reports the outcome of a code's first send in a signed callback. */
export const proves = async (
  fixture: Fixture,
  loanCode: string,
  what: 'paid' | 'refused',
  serialNo = fresh('CB'),
): Promise<void> => {
  const { walletAccount: payee } = await codeOf(fixture, loanCode)
  const proved = what === 'paid' ? paid({ payee, serialNo }) : refused()
  await calls(fixture, { externalId: `${loanCode}-1`, status: fresh('S'), payee, signature: 'good', proved })
}

/** What a command writes that asks for a second person. */
export const waits = { machine: 'M74', event: 'approval.submit', why: 'a second person must agree first' }
