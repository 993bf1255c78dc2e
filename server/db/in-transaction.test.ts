import { expect, it } from 'vitest'
import { insideTransaction, outsideTransaction, refuseInTransaction } from './in-transaction.ts'

const slow = async () => {
  await Promise.resolve()
  refuseInTransaction('a network is called')
  return 'done'
}

it('refuses slow work inside, and lets go on what a commit starts, even after a transaction of its own', async () => {
  await expect(insideTransaction(slow)).rejects.toThrow('a network is called while a transaction is open')
  const started = await insideTransaction(async () => ({
    work: outsideTransaction(async () => {
      await insideTransaction(() => Promise.resolve())
      return slow()
    }),
  }))
  expect(await started.work).toBe('done')
})
