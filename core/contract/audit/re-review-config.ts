import { z } from 'zod'
import { order } from '../../rules/machines/order/order.ts'
import { config } from '../config.ts'
import { noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { modelLevels } from '../order/levels.ts'

const perm = 'order:review:config'
const codes = { page: perm, save: perm, enable: perm, delete: perm }

/** States that a rejected order may be in; the states of M10 that mean refused. */
export const rejectedStatuses = ['approval_rejected', 'machine_refused'] as const
const rejected = () => z.enum(rejectedStatuses, 'validation.wrongValue').meta({ kind: 'dict', dict: order.dict })

/** Why a rejected order may not be asked for again. */
export const ineligibleReasons = dictionary('RE_REVIEW_INELIGIBLE', [
  'no_rule',
  'status',
  'too_old',
  'code',
  'level',
  'times',
  'today',
])

const form = {
  /** None for every merchant without a rule of its own. */
  merchantNo: field.merchant().optional(),
  fromStatuses: z.array(rejected()).min(1, 'validation.infoComplete').max(2),
  windowDays: z.int().min(1).max(90).meta({ kind: 'int' }),
  excludedCodes: z.array(field.refuseCode()).max(100).optional(),
  excludedLevels: z.array(field.dict(modelLevels)).max(5).optional(),
  perOrderMax: z.int().min(1).max(3).meta({ kind: 'int' }),
}

/** Which rejected orders may be asked for again, merchant by merchant. */
export const reReviewRules = config({
  name: 'reReviewRule',
  path: '/loans/audit/review/config/eligibility',
  area: 'order:review',
  codes,
  table: 're_review_rule',
  key: 'ruleNo',
  row: {
    ...form,
    merchantNo: field.merchant().nullable(),
    merchantName: field.text().nullable(),
    excludedCodes: z.array(field.refuseCode()),
    excludedCodeNames: z.array(field.text()),
    excludedLevels: z.array(field.dict(modelLevels)),
  },
  form,
  filters: { merchantNo: z.array(field.merchant()).optional() },
  sort: ['windowDays'],
})

const counts = {
  roleNo: field.role().optional(),
  userNo: field.user().optional(),
  dailyCount: z.int().min(0).max(999).meta({ kind: 'int' }),
}

/** How many rejected orders somebody may ask for on a day: of a role, or of one person, whose own count wins. */
export const reReviewCounts = config({
  name: 'reReviewCount',
  path: '/loans/audit/review/config/count',
  area: 'order:review',
  codes,
  table: 're_review_count_rule',
  key: 'countRuleNo',
  row: {
    ...counts,
    roleNo: field.role().nullable(),
    userNo: field.user().nullable(),
    roleName: field.text().nullable(),
    realName: field.text().nullable(),
    /** Applications that those it is for made today. */
    usedToday: field.int(),
  },
  form: counts,
  flaw: ({ roleNo, userNo }) =>
    Boolean(roleNo) === Boolean(userNo) ? { path: 'roleNo', message: 'validation.roleOrUser' } : null,
  filters: { roleNo: z.array(field.role()).optional(), userNo: z.array(field.user()).optional() },
  sort: ['dailyCount'],
})

/** Which rejected orders may be asked for again, and how often. */
export const reReviewRule = noun('audit/re-review-config', {
  ...reReviewRules.calls,
  /** Whether an order may be asked for now, and if not, why. */
  probe: read('/loans/audit/review/config/eligibility/test', {
    perm,
    input: { orderNo: field.key() },
    output: z.object({
      eligible: z.boolean(),
      ineligibleReason: field.dict(ineligibleReasons).nullable(),
      ruleNo: field.key().nullable(),
    }),
  }),
})
/** Daily counts of applications. */
export const reReviewCount = noun('audit/re-review-config', { ...reReviewCounts.calls })
