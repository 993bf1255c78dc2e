import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { checkBooks, openPayouts } from '../modules/payout-fixture.ts'
import { openDesk } from './repay-desk.ts'

/** A desk with an officer for the tests of a file; when they are through, every invariant holds. */
export const deskForTests = async (o?: Parameters<typeof openDesk>[0]) => {
  const desk = await openDesk(o)
  afterAll(async () => {
    expect(await desk.broken()).toEqual([])
    await desk.close()
  })
  return { desk, officer: await desk.officer() }
}

/** A house that pays out for the tests of a file: each finds it as it was opened, and leaves books that hold. */
export const payoutsForTests = async (o?: Parameters<typeof openPayouts>[0]) => {
  const p = await openPayouts(o)
  beforeEach(() => p.reset())
  afterEach(() => checkBooks(p))
  afterAll(() => p.close())
  return p
}
