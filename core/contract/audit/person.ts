import { z } from 'zod'
import { auditTask } from '../../rules/machines/audit/audit-task.ts'
import { personnel, shiftOverrides } from '../common/personnel.ts'
import { noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'

const share = () => field.percent().nullable()

/** Who reviews orders: whose, how many at once, and up to which amount. */
export const auditPersons = personnel({
  name: 'auditPerson',
  post: 'auditor',
  path: '/loans/audit/person',
  area: 'audit:user',
  table: 'audit_person',
  as: 'auditPersons',
  row: {
    acceptFirst: field.flag(),
    acceptRepeat: field.flag(),
    queueCap: field.int(),
    approvalCap: field.money(),
    auditStepMax: field.int(),
    shiftOverride: field.dict(shiftOverrides),
    /** Of the open ones, those that somebody works on right now. */
    liveCount: field.int(),
    doneToday: field.int(),
  },
  form: {
    acceptFirst: field.flag(),
    acceptRepeat: field.flag(),
    queueCap: z.int().min(1).max(200).meta({ kind: 'int' }),
    /** In UGX; with 0 a person passes nothing. */
    approvalCap: field.money(),
    auditStepMax: z.int().min(1).max(3).meta({ kind: 'int' }),
    shiftOverride: field.dict(shiftOverrides),
  },
  flaw: ({ autoAllocation, acceptFirst, acceptRepeat }) =>
    autoAllocation && acceptFirst === false && acceptRepeat === false
      ? { path: 'acceptFirst', message: 'validation.acceptOne' }
      : null,
  filters: { acceptFirst: field.flag().optional(), acceptRepeat: field.flag().optional() },
  sort: ['doneToday'],
})

const Open = z.object({
  orderNo: field.key(),
  auditTaskStatus: field.state(auditTask),
  auditStep: field.int(),
  loanAmount: field.money(),
  allotTime: field.time(),
  leaseLive: field.flag(),
})

/** Auditors, and what one of them does. */
export const auditPerson = noun('audit/person', {
  ...auditPersons.calls,
  /** Open reviews of an auditor, and how the last 30 days went. */
  work: read('/loans/audit/person/work', {
    perm: auditPersons.perms.page,
    input: { userNo: field.key() },
    output: z.object({
      done: field.int(),
      pass: field.int(),
      refuse: field.int(),
      sentBack: field.int(),
      averageSeconds: field.seconds(),
      /** Of what was passed or refused, in percent; null where nothing was. */
      passShare: share(),
      /** Of the passed orders that were paid out, those that became overdue, in percent. */
      overdueShare: share(),
      openTasks: z.array(Open),
    }),
  }),
})
export type AuditPersonRow = z.output<typeof auditPersons.row>
