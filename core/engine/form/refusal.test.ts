import { expect, test } from 'vitest'
import { loan } from '../../contract/after-loan/loan.ts'
import type { Translate } from '../../element/i18n.ts'
import { text, words } from '../../i18n/server.ts'
import type { Action } from '../screen.ts'
import type { Row } from '../table/columns.ts'
import { divided, refusal } from './refusal.ts'

const t: Translate = words('en')
const replay: Action<Row> = { label: 'actions.replay', run: loan.retry }
const failed = { loanCode: 'LC1', loanCodeStatus: 'failed', pendingApproval: null }
const blocked = (reason: string, params: Record<string, string | number> = {}) => ({
  ...failed,
  blockedBy: { 'payout.retry': { reason, params } },
})

test('a row says why the server would refuse', () => {
  expect(refusal(t, replay, failed)).toBeNull()
  expect(refusal(t, replay, blocked('errors.attemptsUsed', { max: 5 }))).toBe(t('errors.attemptsUsed', { max: 5 }))
  expect(refusal(t, replay, blocked('errors.stateChanged', { status: 'dict.ORDER_STATUS.settled' }))).toBe(
    t('common.notInState', { status: text('en', 'dict.ORDER_STATUS.settled') }),
  )
  expect(refusal(t, { label: 'actions.verifyAccount', run: loan.verify }, blocked('errors.attemptsUsed'))).toBeNull()
})

test('what the state forbids needs no word of the row', () => {
  expect(refusal(t, replay, { ...failed, loanCodeStatus: 'success' })).toContain(
    text('en', 'dict.LOAN_CODE_STATUS.success'),
  )
})

test('while an approval waits, a row that does not say more takes nothing', () => {
  const waiting = { ...failed, pendingApproval: 'AP1' }
  expect(refusal(t, replay, waiting)).toBe(t('common.pendingApproval'))
  expect(refusal(t, replay, { ...waiting, blockedBy: {} })).toBeNull()
})

test('a screen leaves rows out for a reason of its own', () => {
  const one = { ...replay, when: () => 'errors.batchCancelFailedOnly' as const }
  expect(refusal(t, one, failed)).toBe(t('errors.batchCancelFailedOnly'))
  expect(refusal(t, { ...replay, when: () => false }, failed)).toBe(t('common.doesNotApply'))
})

test('chosen rows are divided into those that an action takes and those it leaves out, with the reasons', () => {
  const rows = [failed, { ...blocked('errors.payeeCorrected'), loanCode: 'LC2' }]
  expect(divided(t, replay, rows, 'loanCode')).toEqual({
    fitting: [failed],
    left: [{ key: 'LC2', reason: t('errors.payeeCorrected') }],
  })
})
