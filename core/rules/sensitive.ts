/** How one kind of sensitive value is guarded. */
export type SensitiveSettings = {
  /** From public (C1) to special and financial (C4). */
  dataClass: 'C1' | 'C2' | 'C3' | 'C4'
  /** `spec` keeps the first two and the last two letters, `full` none. */
  listMask: 'spec' | 'full'
  /** Values that one person may reveal within an hour. */
  revealHourCap: number
  /** Values that one person may reveal within 24 hours. */
  revealDayCap: number
  reasonRequired: boolean
  codeRequired: boolean
}

/** Above these no cap is ever set; they also bound what one person sees of all kinds together. */
export const revealLimits = { hour: 60, day: 300 } as const

/** The settings of a kind that nobody has changed. */
export const plainSettings: SensitiveSettings = {
  dataClass: 'C4',
  listMask: 'spec',
  revealHourCap: revealLimits.hour,
  revealDayCap: revealLimits.day,
  reasonRequired: false,
  codeRequired: false,
}

/**
 * Whether a change lets more be seen, or guards it less, in any respect: such a change needs a second person.
 *
 * @example isWeaker(plainSettings, { ...plainSettings, revealHourCap: 40 }) // false
 */
export const isWeaker = (before: SensitiveSettings, after: SensitiveSettings): boolean =>
  after.dataClass < before.dataClass ||
  (before.listMask === 'full' && after.listMask === 'spec') ||
  after.revealHourCap > before.revealHourCap ||
  after.revealDayCap > before.revealDayCap ||
  (before.reasonRequired && !after.reasonRequired) ||
  (before.codeRequired && !after.codeRequired)
