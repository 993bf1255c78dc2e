/** What earns a member level: all of it at once. */
export type VipLevel = {
  levelCode: string
  /** Loans that were settled, at least. */
  settledCount: number
  /** What was repaid in all, at least. */
  repaidAmount: string
  /** Bills paid on time, of a hundred, at least. */
  onTimeShare: string
  /** Days that a bill was late in the last 180 days, at most. */
  maxOverdueDays: number
  /** Days since the customer registered, at least. */
  memberDays: number
}
/** What a customer has done, by the same measures. */
export type Standing = Omit<VipLevel, 'levelCode'>

/** Days late that are no condition. */
export const anyDays = 365
const atLeast = ['settledCount', 'repaidAmount', 'onTimeShare', 'memberDays'] as const

/** The first thing that is wrong with a ladder: its item, or null. */
export const ladderFlaw = (levels: readonly VipLevel[]): 'order' | 'first' | keyof Standing | null => {
  if (levels.length < 2 || levels.some((one, at) => one.levelCode !== `V${at}`)) return 'order'
  const [first, ...higher] = levels as [VipLevel, ...VipLevel[]]
  if (atLeast.some(name => Number(first[name]) !== 0) || first.maxOverdueDays < anyDays) return 'first'
  for (const [at, one] of higher.entries()) {
    const below = levels[at] as VipLevel
    const looser = atLeast.find(name => Number(one[name]) < Number(below[name]))
    if (looser) return looser
    if (one.maxOverdueDays > below.maxOverdueDays) return 'maxOverdueDays'
  }
  return null
}

const earns = (level: VipLevel, standing: Standing): boolean =>
  atLeast.every(name => Number(standing[name]) >= Number(level[name])) &&
  standing.maxOverdueDays <= level.maxOverdueDays

/** The highest level that a customer has earned; the first one has no condition. */
export const earnedLevel = (levels: readonly VipLevel[], standing: Standing): string =>
  [...levels].reverse().find(level => earns(level, standing))?.levelCode ?? 'V0'
