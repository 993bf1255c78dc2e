import type { AuditTask, Draft } from '../../../core/contract/audit/queue.ts'
import type { OrderBasic } from '../../../core/contract/order/order.ts'
import type { Params } from '../../../core/i18n/engine.ts'
import type { Key } from '../../../core/i18n/index.ts'
import { formatMoney, gt, isPositive, isWhole, parseMoneyInput } from '../../../core/rules/amount.ts'
import { isProvenPayee } from '../../../core/rules/payee.ts'
import { parseEat } from '../../../core/rules/time.ts'

export type Problem = { field: string; key: Key; params?: Params }
export type Given = {
  draft: Draft
  task: Pick<AuditTask, 'questions' | 'limits'>
  basic: Pick<OrderBasic, 'checks'> & { payout: Pick<OrderBasic['payout'], 'verifyResult'> }
  /** Whether the chosen refuse code asks for a remark. */
  needRemark: boolean
}

const remarkLength = 30
const exceeded = {
  product: 'errors.limitExceededProduct',
  credit: 'errors.limitExceededCredit',
  expired: 'errors.creditExpired',
  cap: 'errors.limitExceededCap',
} as const

const at = (field: string, key: Key, params?: Params): Problem[] => [{ field, key, ...(params ? { params } : {}) }]

/** What is wrong with an amount before the server prices it. */
export const amountProblem = (typed: string | undefined, limits: AuditTask['limits']): Problem[] => {
  const amount = parseMoneyInput(typed ?? '')
  if (!amount) return at('approvalAmount', 'validation.moneyFormat')
  if (!isPositive(amount) || !isWhole(amount)) return at('approvalAmount', 'validation.wholeShillings')
  if (gt(amount, limits.max)) return at('approvalAmount', exceeded[limits.smallest], { max: formatMoney(limits.max) })
  return []
}

/** Questions that must be answered and are not. */
export const unanswered = ({ questions }: Given['task'], { answers = [] }: Draft): ReadonlySet<string> =>
  new Set(
    questions
      .filter(({ required, questionNo, questionType }) => {
        const given = answers.find(one => one.questionNo === questionNo)
        return required && (questionType === 'text' ? !given?.text?.trim() : !given?.optionNos.length)
      })
      .map(question => question.questionNo),
  )

const reviewProblems = ({ task, draft }: Given): Problem[] => [
  ...(unanswered(task, draft).size ? at('answers', 'validation.reviewIncomplete') : []),
  ...(draft.faceConsistency === 'unsure' && !draft.remark?.trim() ? at('remark', 'validation.faceUnsure') : []),
]

const timeProblems = (typed: string | undefined): Problem[] => {
  if (typed === undefined) return []
  if (!typed.trim()) return at('approvalTime', 'validation.approvalTimeEmpty')
  return parseEat(typed) ? [] : at('approvalTime', 'validation.wrongValue')
}

const passProblems = (given: Given): Problem[] => {
  const { draft, task, basic } = given
  const unseen = basic.checks.filter(
    check => check.checkResult === 'mismatch' && !draft.seenChecks?.includes(check.checkKey),
  )
  return [
    ...(unseen.length ? at('checks', 'audit.tickMismatches') : []),
    ...reviewProblems(given),
    ...(draft.faceConsistency ? [] : at('faceConsistency', 'validation.infoComplete')),
    ...(draft.faceConsistency === 'inconsistent' ? at('faceConsistency', 'validation.faceInconsistent') : []),
    ...(isProvenPayee(basic.payout.verifyResult) ? [] : at('payout', 'validation.payoutNotVerified')),
    ...amountProblem(draft.approvalAmount, task.limits),
    ...timeProblems(draft.approvalTime),
  ]
}

const refuseProblems = (given: Given): Problem[] => {
  const { refuseLevel1, refuseCode, remark } = given.draft
  return [
    ...reviewProblems(given),
    ...(refuseLevel1 ? [] : at('refuseLevel1', 'validation.infoComplete')),
    ...(refuseLevel1 && !refuseCode ? at('refuseCode', 'validation.infoComplete') : []),
    ...(given.needRemark && !remark?.trim() ? at('remark', 'validation.remarkNeeded') : []),
  ]
}

const sendBackProblems = ({ draft: { sendBackReason, remark } }: Given): Problem[] => [
  ...(sendBackReason ? [] : at('sendBackReason', 'validation.infoComplete')),
  ...(sendBackReason === 'other' && !remark?.trim() ? at('remark', 'validation.remarkNeeded') : []),
]

const decisions = { pass: passProblems, refuse: refuseProblems, sent_back: sendBackProblems }

/** What stands against submitting, in the words the server would use; it asks all of it again. */
export const problemsOf = (given: Given): Problem[] => {
  const { auditResult, remark = '' } = given.draft
  if (!auditResult) return at('auditResult', 'validation.infoComplete')
  const tooLong = remark.trim().length > remarkLength
  return [
    ...decisions[auditResult](given),
    ...(tooLong ? at('remark', 'validation.remarkTooLong', { max: remarkLength }) : []),
  ]
}
