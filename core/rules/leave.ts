import { type EatDate, type Instant, startOfEatDay } from './time.ts'

const quarter = 15 * 60_000

/** Whether an instant is a quarter hour; EAT is whole hours from UTC. */
export const isQuarter = (at: Instant): boolean => Date.parse(at) % quarter === 0

/** What is wrong with the times of a leave: not on a quarter of an hour, not in order, or in the past. */
export type LeaveFlaw = 'leaveQuarter' | 'leaveOrder' | 'leavePast'

/** What is wrong with the times of a leave that is asked for `today`, and at which end, or null; only being ill begins in the past. */
export const leaveFlaw = (
  { leaveType, startTime, endTime }: { leaveType: string; startTime: Instant; endTime: Instant },
  today: EatDate,
): { at: 'startTime' | 'endTime'; flaw: LeaveFlaw } | null => {
  if (!isQuarter(startTime)) return { at: 'startTime', flaw: 'leaveQuarter' }
  if (!isQuarter(endTime)) return { at: 'endTime', flaw: 'leaveQuarter' }
  if (Date.parse(startTime) >= Date.parse(endTime)) return { at: 'endTime', flaw: 'leaveOrder' }
  if (leaveType !== 'sick' && Date.parse(startTime) < Date.parse(startOfEatDay(today)))
    return { at: 'startTime', flaw: 'leavePast' }
  return null
}

/** The length of a leave in hours, quarters as decimals. */
export const leaveHours = (startTime: Instant, endTime: Instant): number =>
  (Date.parse(endTime) - Date.parse(startTime)) / 3_600_000
