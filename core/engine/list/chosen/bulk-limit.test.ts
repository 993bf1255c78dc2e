import { expect, test } from 'vitest'
import { loan } from '../../../contract/after-loan/loan.ts'
import { auditAllot } from '../../../contract/audit/allotment.ts'
import type { Action } from '../../screen.ts'
import type { Row } from '../../table/columns.ts'
import { bulkLimit, choiceLimit } from './bulk-limit.ts'

const run = (endpoint: unknown) => ({ label: 'actions.allot', run: endpoint }) as Action<Row>
const own = (needs: unknown) => ({ label: 'actions.allot', needs, press: () => undefined }) as Action<Row>

test('an action takes as many rows as its command', () => {
  expect(bulkLimit(run(auditAllot.unallot), 'orderNo')).toBe(500)
  expect(bulkLimit(own(auditAllot.allot), 'orderNo')).toBe(500)
  expect(bulkLimit(run(loan.verify), 'loanCode')).toBe(100)
  expect(auditAllot.unallot.input.safeParse({ orderNos: Array(500).fill('LO1') }).success).toBe(true)
  expect(auditAllot.unallot.input.safeParse({ orderNos: Array(501).fill('LO1') }).success).toBe(false)
})

test('an action that names no rows takes what can be looked up at once', () => {
  expect(bulkLimit(own(undefined), 'orderNo')).toBe(1000)
  expect(bulkLimit(run(loan.verify), 'orderNo')).toBe(1000)
})

test('as many rows are worth choosing as one action takes', () => {
  expect(choiceLimit([], 'orderNo')).toBe(0)
  expect(choiceLimit([run(auditAllot.unallot)], 'orderNo')).toBe(500)
  expect(choiceLimit([run(auditAllot.unallot), own(undefined)], 'orderNo')).toBe(1000)
})
