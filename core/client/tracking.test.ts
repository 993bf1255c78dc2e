import { expect, test } from 'vitest'
import { eventOf } from './tracking.ts'

test.each([
  ['OrderDetail', 'MyAudit', 'my_audit_order_no'],
  ['OrderAudit', 'MyAudit', 'my_audit_handle'],
  ['OrderDetail', 'MyCollection', 'collection_merge_order_no'],
  ['CaseWorkbench', 'MyCollection', 'collection_merge_case_handle'],
  ['OrderDetail', 'MyCollectionNew', 'my_collection_new_order_no'],
  ['CaseWorkbench', 'MyCollectionNew', 'my_collection_new_case_handle'],
] as const)('%s opened from %s is measured as %s', (page, from, eventId) => {
  expect(eventOf({ page, from })).toEqual({ eventId, entered: true })
})

test.each([
  ['OrderDetail', 'OrderManagement', 'order_detail'],
  ['OrderAudit', 'anything', 'order_audit'],
] as const)('%s opened from %s reports only that it was left', (page, from, eventId) => {
  expect(eventOf({ page, from })).toEqual({ eventId, entered: false })
})
