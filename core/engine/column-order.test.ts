import { expect, test } from 'vitest'
import { canMove, moved, ownColumns, shownColumns, toggled } from './column-order.ts'
import type { DrawnColumn } from './columns.ts'

const column = (id: string, hidden = false): DrawnColumn => ({ id, header: id, meta: null, sortable: false, hidden })
const all = [column('orderNo'), column('name'), column('amount'), column('phone', true)]

test('a screen shows its own columns until somebody chooses', () => {
  expect(ownColumns(all)).toEqual(['orderNo', 'name', 'amount'])
  expect(shownColumns(all, 'orderNo', undefined)).toEqual(['orderNo', 'name', 'amount'])
  expect(shownColumns(all, 'orderNo', [])).toEqual(['orderNo', 'name', 'amount'])
  expect(shownColumns(all, 'orderNo', ['gone'])).toEqual(['orderNo', 'name', 'amount'])
})

test('what was chosen is shown in its order, the key first, unknown and repeated ones left out', () => {
  expect(shownColumns(all, 'orderNo', ['phone', 'gone', 'name', 'orderNo', 'phone'])).toEqual([
    'orderNo',
    'phone',
    'name',
  ])
})

test('a column comes last and goes again', () => {
  expect(toggled(['orderNo', 'name'], 'phone')).toEqual(['orderNo', 'name', 'phone'])
  expect(toggled(['orderNo', 'name', 'phone'], 'name')).toEqual(['orderNo', 'phone'])
})

test('columns change places with their neighbours, never with the key', () => {
  const shown = ['orderNo', 'name', 'amount', 'phone']
  expect(moved(shown, 'amount', -1)).toEqual(['orderNo', 'amount', 'name', 'phone'])
  expect(moved(shown, 'amount', 1)).toEqual(['orderNo', 'name', 'phone', 'amount'])
  expect(moved(shown, 'name', -1)).toBe(shown)
  expect(moved(shown, 'phone', 1)).toBe(shown)
  expect(canMove(shown, 'orderNo', 1)).toBe(false)
  expect(canMove(shown, 'gone', 1)).toBe(false)
})
