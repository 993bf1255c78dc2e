import { lazy, Suspense } from 'react'
import { mostTested, type RuleTestRow, ruleTest } from '../../../core/contract/risk/rule-test.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { Loading } from '../../../core/ui/states.tsx'

const Detail = lazy(async () => ({ default: (await import('./test-detail.tsx')).TestDetail }))
const Bar = lazy(async () => ({ default: (await import('./progress.tsx')).TestProgress }))

const pollMs = 5_000
/** The last 90 days, in an order that nobody chose. */
const plain = () => {
  const sampleTo = eatDate(new Date())
  const sampleFrom = addDays(sampleTo, -89)
  return { sampleFrom, sampleTo, sampleMost: mostTested / 2, seed: Math.floor(Math.random() * 1_000_000) }
}
const words = ([row]: readonly RuleTestRow[]) => ({ ruleSetName: row?.ruleSetName ?? '' })

/** Tests of versions on past orders: asked for, watched, cancelled, and what each found. */
export const bench = listScreen({
  list: ruleTest.page,
  rowKey: 'testNo',
  filters: ['testStatus', 'createdTime', 'ruleSetNo'],
  columns: [
    'createdTime',
    'ruleSetName',
    'versionNo',
    'testStatus',
    {
      id: 'doneCount',
      cell: (row: RuleTestRow) => (
        <Suspense fallback={null}>
          <Bar row={row} />
        </Suspense>
      ),
    },
    ...(['refuseRateBefore', 'refuseRate', 'swapIn', 'swapOut', 'changedCount', 'badRate', 'createdBy'] as const),
  ],
  more: [
    ...(['testNo', 'ruleSetNo', 'sampleCount', 'knownCount', 'unknownFactCount', 'lossAmount'] as const),
    ...(['sampleFrom', 'sampleTo', 'seed', 'finishedTime'] as const),
  ],
  refresh: pollMs,
  toolbar: act => [
    act(ruleTest.run, {
      label: 'actions.runTest',
      ask: ['versionNo', 'sampleFrom', 'sampleTo', 'merchantNos', 'productNos', 'loanKinds', 'sampleMost', 'seed'],
      from: plain,
      confirm: 'ruleTest.runHint',
      done: 'ruleTest.started',
    }),
  ],
  row: act => [
    act(ruleTest.cancel, {
      label: 'actions.cancelTest',
      tone: 'danger',
      input: ([row]) => ({ testNo: row?.testNo }),
      confirm: rows => ({ key: 'ruleTest.confirmCancel', params: words(rows) }),
    }),
    act(ruleTest.retry, {
      label: 'actions.retryTest',
      confirm: rows => ({ key: 'ruleTest.confirmRetry', params: words(rows) }),
    }),
  ],
  detail: (row: RuleTestRow) => (
    <Suspense fallback={<Loading rows={3} />}>
      <Detail row={row} />
    </Suspense>
  ),
  also: [ruleTest.detail, ruleTest.orders],
})

/** Orders that tests decide otherwise, to be looked through and written to a file. */
export const changes = listScreen({
  list: ruleTest.orders,
  rowKey: 'testRowNo',
  filters: ['testNo', 'orderNo', 'oldDecision', 'newDecision'],
  columns: [
    ...(['testNo', 'orderNo', 'productName', 'loanKind', 'oldDecision', 'newDecision', 'oldCode', 'newCode'] as const),
    ...(['newHits', 'goneHits', 'wentBad'] as const),
  ],
  more: ['merchantName', 'testRowNo'],
})
