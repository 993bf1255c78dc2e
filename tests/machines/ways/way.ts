import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import type { House } from '../../contract/house.ts'
import type { Input } from '../../contract/inputs.ts'

const { intake, repay } = contract

/** A way through the house, by HTTP and by what follows of itself, along rows that no scene of a command passes. */
export type Way = { name: string; walk: (house: House) => Promise<void> }

export const way = (name: string, walk: Way['walk']): Way => ({ name, walk })

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
