import { z } from 'zod'
import { config } from '../config.ts'
import { command, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { customerStatuses } from '../order/person.ts'

/** Kinds of choices on telemarketing and customer-service forms. */
export const baseTypes = dictionary('BASE_TYPE', [
  'LIST_TYPE',
  'MARKETING_TARGET',
  'FOLLOW_OPTION',
  'ABANDON_REASON',
  'PAUSE_REASON',
  'INTENTION_LABEL',
  'CS_SUBTYPE',
  'NOT_LOGGED_REASON',
])
/** One value of {@link baseTypes}. */
export type BaseType = (typeof baseTypes.values)[number]
const effects = dictionary('TERMINAL_EFFECT', ['none', 'abandon', 'blacklist'])
/** What a customer's feedback is about. */
export const feedbackTypes = dictionary('FEEDBACK_TYPE', [
  'repayment',
  'loan',
  'account',
  'complaint',
  'privacy',
  'suggestion',
  'other',
])

type Values = Readonly<Record<string, unknown>>
const of = (type: BaseType) => (values: Values) => values.baseType === type
const isTerminal = ({ terminalEffect }: Values) => terminalEffect === 'abandon' || terminalEffect === 'blacklist'
const code = () => field.text(30).regex(/^([a-z0-9_]{2,30}|[A-Z])$/, 'validation.optionCodeFormat')

const flags = {
  callable: field.flag(),
  terminalEffect: field.dict(effects),
  retryDelayMinutes: z.int().min(5).max(10_080).meta({ kind: 'int' }),
  maxAttempts: z.int().min(1).max(20).meta({ kind: 'int' }),
  needApproval: field.flag(),
  targetEditable: field.flag(),
  internal: field.flag(),
  fits: z.array(field.dict(customerStatuses)).max(5),
}

/** The flags of each base type, in the order in which people read them. */
export const flagsOf: Readonly<Partial<Record<BaseType, readonly (keyof typeof flags)[]>>> = {
  FOLLOW_OPTION: ['callable', 'terminalEffect', 'retryDelayMinutes', 'maxAttempts', 'needApproval'],
  LIST_TYPE: ['targetEditable', 'internal'],
  MARKETING_TARGET: ['fits'],
}

const given = <K extends keyof typeof flags>(name: K) => flags[name].nullable()

/** Choices on the forms of telemarketing and customer service. */
export const baseOptions = config({
  name: 'baseOption',
  path: '/telemarketing/baseType/option',
  area: 'tele:baseType',
  table: 'base_option',
  key: 'optionNo',
  row: {
    baseType: field.dict(baseTypes),
    parentCode: field.dict(feedbackTypes).nullable(),
    sort: field.int(),
    optionCode: field.text(30),
    nameZh: field.text(64),
    nameEn: field.text(64),
    nameSw: field.text(64),
    system: field.flag(),
    usedCount: field.int(),
    callable: given('callable'),
    terminalEffect: given('terminalEffect'),
    retryDelayMinutes: given('retryDelayMinutes'),
    maxAttempts: given('maxAttempts'),
    needApproval: given('needApproval'),
    targetEditable: given('targetEditable'),
    internal: given('internal'),
    fits: given('fits'),
  },
  form: {
    parentCode: field.dict(feedbackTypes).optional(),
    nameZh: field.text(64),
    nameEn: field.text(64),
    nameSw: field.text(64),
    sort: field.place(),
    callable: flags.callable.optional(),
    terminalEffect: flags.terminalEffect.optional(),
    retryDelayMinutes: flags.retryDelayMinutes.optional(),
    maxAttempts: flags.maxAttempts.optional(),
    needApproval: flags.needApproval.optional(),
    targetEditable: flags.targetEditable.optional(),
    internal: flags.internal.optional(),
    fits: flags.fits.optional(),
  },
  create: { baseType: field.dict(baseTypes), optionCode: code() },
  applies: {
    parentCode: of('CS_SUBTYPE'),
    callable: of('FOLLOW_OPTION'),
    terminalEffect: of('FOLLOW_OPTION'),
    retryDelayMinutes: values => of('FOLLOW_OPTION')(values) && !isTerminal(values),
    maxAttempts: values => of('FOLLOW_OPTION')(values) && !isTerminal(values),
    needApproval: of('FOLLOW_OPTION'),
    targetEditable: of('LIST_TYPE'),
    internal: of('LIST_TYPE'),
    fits: of('MARKETING_TARGET'),
  },
  filters: {
    baseType: field.dict(baseTypes).optional(),
    search: field.text(64).optional(),
  },
  sort: ['sort', 'optionCode'],
  defaultSort: 'sort',
  used: true,
})

const perm = 'tele:baseType:page'

/** Calls of base types and their options. */
export const baseOption = noun('telemarketing/base-option', {
  ...baseOptions.calls,
  usedBy: baseOptions.calls.usedBy as NonNullable<typeof baseOptions.calls.usedBy>,
  tree: read('/telemarketing/baseType/tree', {
    perm,
    input: {},
    output: z.object({ list: z.array(z.object({ baseType: field.dict(baseTypes), optionCount: z.int() })) }),
  }),
  /** Puts the options of a type, or of one feedback type, into this order. */
  sort: command({
    path: '/telemarketing/baseType/sort',
    perm: 'tele:baseType:save',
    audit: 'baseOption.sort',
    input: z.strictObject({
      baseType: field.dict(baseTypes),
      optionCodes: z.array(code()).min(1).max(200),
      parentCode: field.dict(feedbackTypes).optional(),
    }),
    output: z.object({ moved: z.int() }),
  }),
})
