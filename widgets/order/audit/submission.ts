import type { AuditTask, Draft } from '../../../core/contract/audit/queue.ts'
import type { auditReview } from '../../../core/contract/audit/review.ts'
import type { InputOf, OutputOf } from '../../../core/contract/endpoint.ts'
import type { Translate } from '../../../core/element/i18n.ts'
import { parseMoneyInput } from '../../../core/rules/amount.ts'
import { parseEat } from '../../../core/rules/time.ts'

type Input = InputOf<typeof auditReview.submit>
type Done = OutputOf<typeof auditReview.submit>

/** The call that a complete draft stands for. The approval time is now, unless one was typed. */
export const submissionOf = (draft: Draft, task: AuditTask, version: number): Input => {
  const remark = draft.remark?.trim()
  const shared = {
    orderNo: task.orderNo,
    leaseToken: task.leaseToken,
    version,
    ...(remark ? { remark } : {}),
  }
  if (draft.auditResult === 'sent_back')
    return { ...shared, auditResult: 'sent_back', sendBackReason: draft.sendBackReason ?? 'other' }
  const reviewed = {
    ...shared,
    answers: (draft.answers ?? []).filter(answer => answer.optionNos.length > 0 || answer.text?.trim()),
    ...(draft.faceConsistency ? { faceConsistency: draft.faceConsistency } : {}),
  }
  if (draft.auditResult === 'refuse') return { ...reviewed, auditResult: 'refuse', refuseCode: draft.refuseCode ?? '' }
  return {
    ...reviewed,
    auditResult: 'pass',
    approvalAmount: parseMoneyInput(draft.approvalAmount ?? '') ?? '',
    approvalTime: parseEat(draft.approvalTime ?? '') ?? new Date().toISOString(),
  }
}

/** What a decision has come to, in words. */
export const outcomeText = (t: Translate, result: Input['auditResult'], done: Done): string => {
  if (result === 'refuse') return t('audit.refused')
  if (result === 'sent_back') return t('audit.sentBack')
  return done.orderStatus === 'to_be_allocated'
    ? t('audit.passedStep', { step: done.auditStep, total: done.auditStepCount })
    : t('audit.passed')
}
