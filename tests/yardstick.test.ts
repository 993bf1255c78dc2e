import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { yardsticks } from './yardstick.ts'

it('grows with the work, and not with waiting', async () => {
  const data = Buffer.alloc(64 * 1_048_576)
  const hashed = (times: number) => () => {
    for (let n = 0; n < times; n += 1) createHash('sha256').update(data).digest()
  }
  expect(await yardsticks(hashed(8))).toBeGreaterThan(2 * (await yardsticks(hashed(1))))
  expect(await yardsticks(() => new Promise(done => setTimeout(done, 300)))).toBeLessThan(2)
})
