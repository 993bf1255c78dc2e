import { expect, test } from 'vitest'
import { tabFor } from './message-tabs.ts'

const none = { unread: 0, announcements: 0, approvals: 0 }

test('the bell opens the tab that has something', () => {
  expect(tabFor({ ...none, unread: 1, announcements: 2, approvals: 3 })).toBe('notices')
  expect(tabFor({ ...none, announcements: 2, approvals: 3 })).toBe('announcements')
  expect(tabFor({ ...none, approvals: 3 })).toBe('approvals')
  expect(tabFor(none)).toBe('notices')
  expect(tabFor(undefined)).toBe('notices')
})
