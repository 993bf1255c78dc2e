import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { serve } from '../../../http/serve.ts'
import { findOrder, refuseName } from './order-source.ts'

const { order } = contract
type Step = OutputOf<typeof order.steps>['list'][number]
type AuditRecord = OutputOf<typeof order.records>['list'][number]

/** Which events of an order stand on its time line, and as what; the others go with one of these. */
const kinds: readonly [event: RegExp, kind: Step['kind']][] = [
  [/^order\.create$/, 'application'],
  [/^machine\./, 'machine'],
  [/^allot$/, 'allot'],
  [/^unallot$/, 'release'],
  [/^task\.open$/, 'open'],
  [/^audit\./, 'submit'],
  [/^(retrieval|reReview)\./, 'retrieval'],
  [/^(payout|reWithdraw\w*|code)\./, 'payout'],
  [/^(order\.cancel|clock\.autoCancel)$/, 'cancel'],
  [/^(settle|rollback\.settle)$/, 'settle'],
]
const kindOf = (event: string) => kinds.find(([pattern]) => pattern.test(event))?.[1]

type Row = Omit<Step, 'kind'> & {
  toState: string
  objectNo: string
  takenFrom: string | null
  fromState: string
  machine: string
}

/** One line of time: application, machine review, each allotment, opening and decision, payout, settlement. */
export const steps = serve(order.steps, async ({ tx, session, input }) => {
  const { orderNo, modelLevel, modelScore } = await findOrder(tx, session, input.orderNo)
  const rows = await tx.rows(sql<Row>`
    select s.at, s.event, s.machine, s.from_state, s.to_state, s.payload ->> 'takenFrom' as taken_from, coalesce(actor.real_name, merchant.merchant_name, s.actor) as actor_name, (s.payload ->> 'auditStep')::int as audit_step,
      case when s.event = 'allot' then auditor.real_name when r.audit_record_no is not null then r.audit_result else s.payload ->> 'reason' end as result,
      r.approval_amount as amount, coalesce(r.refuse_code, s.payload ->> 'refuseCode') as refuse_code, ${refuseName(session.language)} as refuse_reason, coalesce(r.remark, s.payload ->> 'remark') as remark, r.seconds, coalesce(s.payload ? 'incomplete', false) as machine_incomplete
    from state_transition s
    left join app_user actor on actor.user_no = s.actor
    left join merchant on 'merchant:' || merchant.merchant_no = s.actor
    left join app_user auditor on auditor.user_no = s.payload ->> 'auditorNo'
    left join audit_record r on r.audit_record_no = s.payload ->> 'auditRecordNo'
    left join refuse_code rc on rc.refuse_code = coalesce(r.refuse_code, s.payload ->> 'refuseCode')
    where (s.machine = 'M10' and s.object_no = ${orderNo})
      or (s.machine = 'M11' and s.event = 'task.open' and s.object_no in (select audit_task_no from audit_task where order_no = ${orderNo}))
    order by s.transition_no`)
  const list = rows.flatMap(({ machine, fromState, toState: _, objectNo: __, takenFrom, ...row }) => {
    const kind = kindOf(row.event)
    const reopened = machine === 'M11' && fromState === 'opened' && !takenFrom
    if (!kind || reopened) return []
    return [
      {
        ...row,
        kind,
        modelLevel: kind === 'machine' ? modelLevel : null,
        modelScore: kind === 'machine' ? modelScore : null,
      },
    ]
  })
  return { list }
})

/** What each reviewer decided, with the answers as they were given. */
export const records = serve(order.records, async ({ tx, session, input }) => {
  const { orderNo } = await findOrder(tx, session, input.orderNo)
  const list = await tx.rows(sql<AuditRecord>`
    select r.audit_record_no, r.audit_step, coalesce(u.real_name, r.auditor_no) as auditor_name, r.audit_result, r.approval_amount, r.refuse_code, ${refuseName(session.language)} as refuse_reason,
      r.send_back_reason, r.face_consistency, r.remark, r.seconds, r.submit_time, r.answers
    from audit_record r left join app_user u on u.user_no = r.auditor_no left join refuse_code rc on rc.refuse_code = r.refuse_code
    where r.order_no = ${orderNo} order by r.submit_time desc, r.audit_record_no desc`)
  return {
    list: list.map(record => ({
      ...record,
      answers: record.answers.map(({ questionZh, questionLocal, answer, answerZh }) => ({
        questionZh,
        questionLocal,
        answer,
        answerZh,
      })),
    })),
  }
})
