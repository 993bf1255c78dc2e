import { expect, it } from 'vitest'
import { randomFrom } from '../../server/demo/random.ts'
import { newPostgresDatabase } from '../postgres.ts'
import { isFull, sizeOf } from '../sizes.ts'
import { customerOf } from './customers.ts'
import { liveDay, type Month } from './day.ts'
import { judge, type Verdict } from './judge.ts'
import { openDesk } from './people.ts'
import { openWorld } from './world.ts'

/**
 * A month of business with every lie that networks and banks tell: `npm run month -- --orders 20000 --seed 7`. Without sizes a small one:
 * one day of lending, and what follows of it in the days after.
 */
const orders = sizeOf('orders', isFull ? 1_000 : 40)
const days = sizeOf('days', orders > 100 ? 30 : 5)
const seed = sizeOf('seed', 7)
/** On the last days nothing is lent: what was sent has its answer when the month ends. */
const lending = Math.max(1, days - 4)
const isLoud = orders > 100

const say = (line: string) => process.stdout.write(`${line}\n`)

const print = ({ wrong, table, items, trial }: Verdict, refusals: Iterable<[string, number]>, seconds: number) => {
  console.table(table)
  console.table(items)
  for (const [call, times] of refusals) say(`refused ${times} times: ${call}`)
  say(`trial balance: debit ${trial?.debit}, credit ${trial?.credit}, difference ${trial?.difference}`)
  for (const one of wrong) say(`WRONG  ${one}`)
  const rate = (table.reduce((sum, row) => sum + Number(row.bookings), 0) / seconds).toFixed(1)
  say(
    `${orders} orders in ${days} days, seed ${seed}: ${wrong.length} wrong; ${seconds.toFixed(0)} s, ${rate} bookings of own accounts a second`,
  )
}

it(`${orders} orders in ${days} days: every difference is explained, and the books add up to nothing`, async () => {
  const began = Date.now()
  const seconds = () => (Date.now() - began) / 1000
  const url = await newPostgresDatabase()
  const world = await openWorld({ ...(url ? { url } : {}), seed })
  try {
    const desk = await openDesk(world)
    const month: Month = { world, desk, random: randomFrom(seed), seed, arrived: new Set() }
    for (let day = 1, made = 0; day <= days; day++) {
      const upTo = day > lending ? orders : Math.round((orders * day) / lending)
      const customers = Array.from({ length: upTo - made }, (_, at) => customerOf(seed, made + at + 1))
      made = upTo
      const said = await liveDay(month, day, customers)
      if (isLoud) say(`${seconds().toFixed(0).padStart(6)} s  day ${day}: ${made} orders ${JSON.stringify(said)}`)
    }
    await world.until('06:10')
    const verdict = await judge(world, desk)
    if (isLoud || verdict.wrong.length > 0) print(verdict, desk.refusals, seconds())
    expect(verdict.wrong).toEqual([])
  } finally {
    await world.close()
  }
})
