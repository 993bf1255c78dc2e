import { z } from 'zod'
import { reviewModes } from '../common/business-config.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, noun } from '../endpoint.ts'
import { field } from '../fields.ts'
import { loanKinds } from '../order/levels.ts'

/** Most sets that a plan names. */
const maxSets = 30

const plannedSets = () =>
  field.rows({ ruleSetNo: field.option('RISK_RULE_SET') }, maxSets, [{ ruleSetNo: 'RS-ADMISSION' }])
const form = {
  /** The champion of this model decides, or a challenger of it. */
  modelNo: field.option('RISK_MODEL'),
  /** In the order in which a stage asks them; every set in force where none is named. */
  plannedSets: plannedSets().optional(),
}

const Named = z.array(z.object({ ruleSetNo: z.string() }))
/** The sets that a plan names. */
export const setsNamed = (content: Readonly<Record<string, unknown>>): string[] =>
  (Named.safeParse(content.plannedSets).data ?? []).map(one => one.ruleSetNo)

const flaw = (content: Readonly<Record<string, unknown>>): Flaw | null => {
  const nos = setsNamed(content)
  return new Set(nos).size < nos.length ? { path: 'plannedSets', message: 'errors.exists' } : null
}

/** Which rule sets and which model decide an order of a product and a kind of loan. */
export const riskPlans = config({
  name: 'riskPlan',
  path: '/risk/plan',
  area: 'risk:plan',
  codes: { page: 'risk:ruleSet:page', enable: 'risk:plan:save', delete: 'risk:plan:save' },
  table: 'risk_plan',
  key: 'planNo',
  row: {
    productNo: field.product(),
    productName: field.text(),
    merchantNo: field.merchant(),
    merchantName: field.text(),
    loanKind: field.dict(loanKinds),
  },
  form: {},
  create: { productNo: field.product(), loanKind: field.dict(loanKinds) },
  versions: {
    form,
    flaw,
    effect: {
      /** Applications of the product and kind in the last 30 days. */
      plannedOrders: field.int(),
    },
  },
  filters: {
    merchantNo: z.array(field.merchant()).optional(),
    productNo: z.array(field.product()).optional(),
    loanKind: z.array(field.dict(loanKinds)).optional(),
  },
  sort: ['productNo', 'loanKind', 'effectiveTime'],
  defaultSort: 'productNo',
})

/** Calls of plans, and the switch above all of them. */
export const riskPlan = noun('risk/plan', {
  ...riskPlans.calls,
  /** From now on every order goes to an auditor, whatever machine review finds; back again takes two people. */
  manualAll: command({
    path: '/risk/plan/manualAll',
    perm: 'risk:plan:save',
    audit: 'riskPlan.manualAll',
    input: z.strictObject({ reason: field.longText(200) }),
    output: z.object({ reviewMode: field.dict(reviewModes) }),
  }),
})
