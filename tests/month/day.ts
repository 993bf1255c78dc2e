import type { Random } from '../../server/demo/random.ts'
import { apply, type Customer, repay } from './customers.ts'
import { workOff } from './differences.ts'
import { arriveTransfers, matchStrays, moveFloat, payRefunds, refundOverflows, rollBackSome } from './money-back.ts'
import { confirmUnknown, payoutStates, resumeChannels, retryFailed, sendFiles, unblockCodes } from './payouts.ts'
import type { Desk } from './people.ts'
import type { World } from './world.ts'

export type Month = { world: World; desk: Desk; random: Random; seed: number; arrived: Set<string> }

/** Loans are applied for, decided and paid out; what failed goes again, what banks pay goes in files. */
const lend = async ({ world, desk, random }: Month, customers: readonly Customer[]): Promise<void> => {
  const half = Math.ceil(customers.length / 2)
  for (const some of [customers.slice(0, half), customers.slice(half)]) {
    await apply(world, random, some)
    await world.calm()
    for (const span of [65, 130, 310, 620]) await world.pass(span)
    await resumeChannels(desk)
    await retryFailed(desk)
    await sendFiles(world, desk, random)
    await world.pass(1_900)
    await world.pass(3_700)
  }
}

/** Customers pay; an officer finds whose the stray money is, takes mistakes back, and pays back what was too much. */
const collect = async ({ world, desk, random, seed, arrived }: Month, day: number) => {
  const paid = await repay(world, seed, random)
  await world.pass(65)
  if (day % 3 === 2) await moveFloat(world, desk, random)
  await arriveTransfers(world, arrived)
  await world.pass(1_300)
  const matched = await matchStrays(desk)
  const back = day % 2 === 0 ? await rollBackSome(desk, random, 2) : 0
  const refunds = await refundOverflows(desk)
  await payRefunds(desk)
  await world.calm()
  return { paid, matched, back, refunds, confirmed: await confirmUnknown(world, desk) }
}

/** One day from eight to eight: the business of the day, its end, the statements of the morning and the work on differences. */
export const liveDay = async (month: Month, day: number, customers: readonly Customer[]) => {
  const { world, desk } = month
  await lend(month, customers)
  const said = await collect(month, day)
  for (const time of ['21:00', '00:10', '05:40', '06:10'] as const) await world.until(time)
  const done = await workOff(world, desk)
  await unblockCodes(desk)
  await world.calm()
  const states = await payoutStates(desk)
  await world.until('08:00')
  return { ...said, ...done, states }
}
