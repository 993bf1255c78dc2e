import type { AuditTask, Draft } from '../../../core/contract/audit/queue.ts'
import type { Translate } from '../../../core/element/i18n.ts'
import { labelOf, listed } from '../../../core/engine/table/columns.ts'

/** What was typed, as lines to be pasted elsewhere. */
export const draftText = (t: Translate, { questions }: AuditTask, draft: Draft, refuseReason?: string): string => {
  const zh = t.language === 'zh'
  const answers = (draft.answers ?? []).flatMap(answer => {
    const question = questions.find(one => one.questionNo === answer.questionNo)
    if (!question) return []
    const chosen = question.options
      .filter(option => answer.optionNos.includes(option.optionNo))
      .map(option => (zh ? option.optionZh : option.optionLocal))
    return [`${zh ? question.questionZh : question.questionLocal} ${answer.text ?? listed(t, chosen)}`]
  })
  const line = (name: string, value: string | undefined) =>
    value ? [t('common.labelled', { label: labelOf(t, name), value })] : []
  return [
    ...line('auditResult', draft.auditResult && t(`dict.AUDIT_RESULT.${draft.auditResult}`)),
    ...line('approvalAmount', draft.approvalAmount),
    ...line('approvalTime', draft.approvalTime),
    ...line('refuseReason', refuseReason),
    ...line('sendBackReason', draft.sendBackReason && t(`dict.SEND_BACK_REASON.${draft.sendBackReason}`)),
    ...line('faceConsistency', draft.faceConsistency && t(`dict.FACE_CONSISTENCY.${draft.faceConsistency}`)),
    ...line('remark', draft.remark),
    ...answers,
  ].join('\n')
}
