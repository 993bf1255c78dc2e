import { expect, test } from 'vitest'
import { canMove, moved, placed, toggled, within } from './column-moves.ts'
import { ownColumns, shownColumns, widthsOf, withWidths } from './column-order.ts'
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

test('a column is put anywhere behind the key', () => {
  const shown = ['orderNo', 'name', 'amount', 'phone']
  expect(placed(shown, 'phone', 1)).toEqual(['orderNo', 'phone', 'name', 'amount'])
  expect(placed(shown, 'name', 9)).toEqual(['orderNo', 'amount', 'phone', 'name'])
  expect(placed(shown, 'name', 0)).toEqual(shown)
  expect(placed(shown, 'orderNo', 2)).toBe(shown)
  expect(placed(shown, 'gone', 2)).toBe(shown)
})

test('a width is kept with its column, and one that nobody could use is none', () => {
  expect(shownColumns(all, 'orderNo', ['orderNo:140', 'phone:90'])).toEqual(['orderNo', 'phone'])
  expect(widthsOf(['orderNo:140', 'name', 'amount:x', 'phone:9', 'gone:99999'])).toEqual({ orderNo: 140 })
  expect(withWidths(['orderNo', 'name'], { orderNo: 140, name: undefined })).toEqual(['orderNo:140', 'name'])
  expect([within(10), within(120.4), within(5_000)]).toEqual([48, 120, 800])
})
