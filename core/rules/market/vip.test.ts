import { expect, it } from 'vitest'
import { anyDays, earnedLevel, ladderFlaw, type VipLevel } from './vip.ts'

const level = (levelCode: string, more: Partial<VipLevel> = {}): VipLevel => ({
  levelCode,
  settledCount: 0,
  repaidAmount: '0',
  onTimeShare: '0',
  maxOverdueDays: anyDays,
  memberDays: 0,
  ...more,
})
const ladder = [
  level('V0'),
  level('V1', { settledCount: 1 }),
  level('V2', { settledCount: 3, onTimeShare: '80', maxOverdueDays: 7 }),
  level('V3', { settledCount: 6, repaidAmount: '2000000', onTimeShare: '90', maxOverdueDays: 3 }),
]

it('a ladder climbs: each level asks at least what the one below it asks', () => {
  expect(ladderFlaw(ladder)).toBeNull()
  expect(ladderFlaw([level('V0')])).toBe('order')
  expect(ladderFlaw([level('V0'), level('V2')])).toBe('order')
  expect(ladderFlaw([level('V0', { memberDays: 1 }), level('V1')])).toBe('first')
  expect(ladderFlaw([...ladder.slice(0, 3), level('V3', { ...ladder[3], settledCount: 2 })])).toBe('settledCount')
  expect(ladderFlaw([...ladder.slice(0, 3), level('V3', { ...ladder[3], maxOverdueDays: 9 })])).toBe('maxOverdueDays')
})

it('a customer has the highest level whose conditions all hold', () => {
  const standing = {
    settledCount: 6,
    repaidAmount: '2500000.00',
    onTimeShare: '85.00',
    maxOverdueDays: 2,
    memberDays: 90,
  }
  expect(earnedLevel(ladder, standing)).toBe('V2')
  expect(earnedLevel(ladder, { ...standing, onTimeShare: '90.00' })).toBe('V3')
  expect(earnedLevel(ladder, { ...standing, maxOverdueDays: 30 })).toBe('V1')
  expect(earnedLevel(ladder, { ...standing, settledCount: 0 })).toBe('V0')
})
