import { expect, it } from 'vitest'
import { amountProblem, type Given, problemsOf, unanswered } from './problems.ts'
import { submissionOf } from './submission.ts'

const limits = {
  productMin: '100000.00',
  productMax: '1000000.00',
  amountStep: '10000.00',
  creditRemaining: '700000.00',
  couponIncrease: '0.00',
  approvalCap: '600000.00',
  max: '600000.00',
  smallest: 'cap' as const,
  requested: '500000.00',
  suggested: null,
}
const question = (questionNo: string, questionType: 'single' | 'text', required = true) => ({
  questionNo,
  questionZh: questionNo,
  questionLocal: questionNo,
  questionType,
  options: [],
  required,
})
const questions = [question('Q1', 'single'), question('Q2', 'text'), question('Q3', 'text', false)]
const mismatch = { checkKey: 'wallet_name', left: 'A', right: 'B', checkResult: 'mismatch' } as const
const complete: Given = {
  draft: {
    auditResult: 'pass',
    approvalAmount: '500,000',
    faceConsistency: 'consistent',
    seenChecks: ['wallet_name'],
    answers: [
      { questionNo: 'Q1', optionNos: ['1'] },
      { questionNo: 'Q2', optionNos: [], text: 'calm' },
    ],
  },
  task: { questions, limits },
  basic: { checks: [mismatch], payout: { verifyResult: 'passed' } },
  needRemark: false,
}
const found = (by: Partial<Given['draft']>, more: Partial<Given> = {}) =>
  problemsOf({ ...complete, ...more, draft: { ...complete.draft, ...by } }).map(({ field, key }) => `${field}: ${key}`)

it('lets a complete pass go', () => expect(found({})).toEqual([]))

it.each([
  [{ auditResult: undefined }, 'auditResult: validation.infoComplete'],
  [{ answers: [] }, 'answers: validation.reviewIncomplete'],
  [{ faceConsistency: undefined }, 'faceConsistency: validation.infoComplete'],
  [{ faceConsistency: 'inconsistent' }, 'faceConsistency: validation.faceInconsistent'],
  [{ faceConsistency: 'unsure' }, 'remark: validation.faceUnsure'],
  [{ seenChecks: [] }, 'checks: audit.tickMismatches'],
  [{ approvalAmount: undefined }, 'approvalAmount: validation.moneyFormat'],
  [{ approvalAmount: '0' }, 'approvalAmount: validation.wholeShillings'],
  [{ approvalAmount: '600001' }, 'approvalAmount: errors.limitExceededCap'],
  [{ approvalTime: ' ' }, 'approvalTime: validation.approvalTimeEmpty'],
  [{ approvalTime: 'soon' }, 'approvalTime: validation.wrongValue'],
  [{ remark: 'x'.repeat(31) }, 'remark: validation.remarkTooLong'],
  [{ auditResult: 'refuse' }, 'refuseLevel1: validation.infoComplete'],
  [{ auditResult: 'refuse', refuseLevel1: 'R1' }, 'refuseCode: validation.infoComplete'],
  [{ auditResult: 'sent_back' }, 'sendBackReason: validation.infoComplete'],
  [{ auditResult: 'sent_back', sendBackReason: 'other' }, 'remark: validation.remarkNeeded'],
] as const)('stops %o', (by, problem) => expect(found(by as Given['draft'])).toEqual([problem]))

it('stops an account that is not verified, and a code that wants a remark', () => {
  expect(found({}, { basic: { checks: [], payout: { verifyResult: 'unavailable' } } })).toEqual([
    'payout: validation.payoutNotVerified',
  ])
  const refused = { auditResult: 'refuse', refuseLevel1: 'R1', refuseCode: 'R101' } as const
  expect(found(refused, { needRemark: true })).toEqual(['remark: validation.remarkNeeded'])
  expect(found({ ...refused, remark: 'seen' }, { needRemark: true })).toEqual([])
})

it('names the smallest limit with its amount', () => {
  expect(amountProblem('700000', { ...limits, smallest: 'credit', max: '690000.00' })).toEqual([
    { field: 'approvalAmount', key: 'errors.limitExceededCredit', params: { max: '690,000' } },
  ])
  expect(amountProblem('700000', { ...limits, smallest: 'expired', max: '0.00' })[0]?.key).toBe('errors.creditExpired')
})

it('counts a blank text as no answer, and an optional question never', () => {
  const answers = [{ questionNo: 'Q2', optionNos: [], text: '  ' }]
  expect([...unanswered({ questions, limits }, { answers })]).toEqual(['Q1', 'Q2'])
})

it('submits what the decision needs and nothing else', () => {
  const task = { orderNo: 'O1', leaseToken: 'T' } as Parameters<typeof submissionOf>[1]
  const { draft } = complete
  expect(submissionOf({ ...draft, approvalTime: '2025-11-20 12:00' }, task, 4)).toEqual({
    orderNo: 'O1',
    leaseToken: 'T',
    version: 4,
    auditResult: 'pass',
    approvalAmount: '500000.00',
    approvalTime: '2025-11-20T09:00:00.000Z',
    faceConsistency: 'consistent',
    answers: draft.answers,
  })
  const back = { ...draft, auditResult: 'sent_back', sendBackReason: 'materials', remark: ' ' } as const
  expect(Object.keys(submissionOf(back, task, 4))).toEqual([
    'orderNo',
    'leaseToken',
    'version',
    'auditResult',
    'sendBackReason',
  ])
})
