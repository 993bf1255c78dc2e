import { z } from 'zod'
import { anyDays, ladderFlaw, type VipLevel } from '../../rules/market/vip.ts'
import { blockedBy } from '../blocked.ts'
import { sentForApproval } from '../common/approval.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { memberLevels } from '../order/levels.ts'

/** Why a customer has a level. */
export const vipReasons = dictionary('VIP_REASON', ['earned', 'month_review', 'manual'])
/** Longest that a level set by hand lasts, in days. */
export const manualDays = 90

const count = (max: number) =>
  z.int('validation.wrongValue').min(0, 'validation.wrongValue').max(max, 'validation.wrongValue').meta({ kind: 'int' })

/** A level: what earns it. */
export const vipLevel = {
  levelCode: field.dict(memberLevels),
  levelName: field.texts(64),
  settledCount: count(1_000),
  repaidAmount: field.money(),
  onTimeShare: field.percent(),
  maxOverdueDays: count(anyDays),
  memberDays: count(3_650),
}
const name = { zh: '会员', en: 'Member', sw: 'Mwanachama' }
const base = {
  levelName: name,
  settledCount: 0,
  repaidAmount: '0',
  onTimeShare: '0',
  maxOverdueDays: anyDays,
  memberDays: 0,
}
const example = [
  { levelCode: 'V0' as const, ...base },
  { levelCode: 'V1' as const, ...base, settledCount: 1 },
]
const form = { levels: field.rows(vipLevel, memberLevels.values.length, example) }

/** Between the levels: what is wrong is named by its item. */
const flaw = ({ levels }: Readonly<Record<string, unknown>>): Flaw | null => {
  if (!Array.isArray(levels)) return null
  const found = ladderFlaw(levels as VipLevel[])
  return found && { path: 'levels', message: `validation.vip.${found}` }
}

/** The one ladder of member levels: what earns each. Levels are earned by repaying, never bought. */
export const vipLadders = config({
  name: 'vipLadder',
  path: '/marketProduct/vipLevel',
  area: 'market:vip',
  table: 'vip_ladder',
  key: 'ladderNo',
  row: { vipCount: field.int(), upCount: field.int(), downCount: field.int() },
  form: {},
  versions: { form, flaw, effect: { customers: field.int(), up: field.int(), down: field.int() } },
  filters: {},
  sort: ['effectiveTime'],
})

const perm = 'market:vip:page'

const Member = z.object({
  customerNo: field.key(),
  customerName: field.customerName(),
  levelCode: field.dict(memberLevels),
  vipSince: field.time().nullable(),
  vipReason: field.dict(vipReasons).nullable(),
  /** Until when a level that was set by hand lasts. */
  vipUntil: field.date().nullable(),
  settledCount: field.int(),
  repaidAmount: field.money(),
  onTimeShare: field.percent(),
  maxOverdueDays: field.int(),
  memberDays: field.int(),
  pendingApproval: field.user().nullable(),
  blockedBy: blockedBy(),
})
export type VipMember = z.output<typeof Member>

/** Member levels, and the customers who have them. */
export const vip = noun('supermarket/vip', {
  ...vipLadders.calls,
  /** How customers spread over the levels in force, and how many moved in the last 30 days. */
  spread: read('/marketProduct/vipLevel/spread', {
    perm,
    input: {},
    output: z.object({
      list: z.array(
        z.object({
          levelCode: field.dict(memberLevels),
          vipCount: field.int(),
          memberShare: field.percent(),
          upCount: field.int(),
          downCount: field.int(),
          /** Of a hundred members, those with a bill that is overdue now. */
          lateShare: field.percent().nullable(),
          productCount: field.int(),
        }),
      ),
    }),
  }),
  members: list('/marketProduct/vipLevel/member/page', {
    perm,
    row: Member,
    filters: {
      levelCode: z.array(field.dict(memberLevels)).optional(),
      customerNo: field.key().optional(),
      vipReason: z.array(field.dict(vipReasons)).optional(),
      vipSince: field.dateRange().optional(),
    },
    sort: ['vipSince', 'customerNo'],
    defaultSort: 'customerNo',
    exported: { as: 'vipMembers', perm: 'market:vip:export' },
  }),
  /** Gives a customer a level for a time; a second person agrees. */
  setLevel: command({
    path: '/marketProduct/vipLevel/member/set',
    perm: 'market:vip:member',
    audit: 'vip.setLevel',
    input: z.strictObject({
      customerNo: field.key(),
      levelCode: field.dict(memberLevels),
      vipUntil: field.date(),
      reason: field.longText(200),
    }),
    output: sentForApproval,
  }),
})
