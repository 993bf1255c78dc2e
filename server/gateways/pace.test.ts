import { expect, it } from 'vitest'
import { pacer } from './pace.ts'

it('lets no more than the limit start in any window, in order', async () => {
  const turn = pacer(5, 200)
  const starts: number[] = []
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 13 }, async (_, i) => {
      await turn()
      starts.push(performance.now())
      order.push(i)
    }),
  )
  expect(order).toEqual([...order].sort((a, b) => a - b))
  for (let i = 5; i < starts.length; i += 1) expect((starts[i] ?? 0) - (starts[i - 5] ?? 0)).toBeGreaterThan(195)
})

it('does not delay a caller who comes alone', async () => {
  const turn = pacer(5, 60_000)
  const before = performance.now()
  await turn()
  expect(performance.now() - before).toBeLessThan(30_000)
})
