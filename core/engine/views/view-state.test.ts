import { expect, test } from 'vitest'
import { auditManage } from '../../contract/audit/order-list.ts'
import { endpoints } from '../../contract/contract.ts'
import { metaOf, sensitiveKinds } from '../../contract/fields.ts'
import { unkept } from '../../contract/portal/view.ts'
import type { Listed } from '../screen.ts'
import { isChanged, lookOf } from './view-look.ts'
import { stateOfView } from './view-state.ts'

const list = auditManage.manageList as unknown as Listed
const own = ['orderNo', 'customerName']
const view = {
  viewNo: 'VW1',
  filters: { orderStatus: ['settled'], loanKind: 'first' },
  columns: ['orderNo', 'loanAmount'],
  sort: `-${list.sort[0]}`,
  density: 'compact' as const,
}
const shown = { pageSize: 50, ...stateOfView(list, view) }

test('a view comes back as it was kept', () => {
  const { viewNo, ...look } = view
  expect(lookOf(shown, own)).toEqual(look)
  expect(shown).toMatchObject({ view: viewNo, pageNum: 1 })
  expect(isChanged(list, view, shown, own)).toBe(false)
})

test('each of filters, columns, order and height makes a difference, the page and the order of filters do not', () => {
  const { loanKind, orderStatus } = view.filters
  for (const by of [{ pageNum: 3 }, { pageSize: 10 }, { open: 'LO1' }, { filters: { loanKind, orderStatus } }])
    expect(isChanged(list, view, { ...shown, ...by }, own)).toBe(false)
  for (const by of [{ filters: {} }, { columns: undefined }, { sort: 'x' }, { density: undefined }])
    expect(isChanged(list, view, { ...shown, ...by }, own), JSON.stringify(by)).toBe(true)
})

test('the columns of the screen are the same as none', () => {
  const plain = { ...view, columns: [] }
  expect(isChanged(list, plain, { ...shown, columns: own }, own)).toBe(false)
  expect(lookOf({ ...shown, columns: own }, own).columns).toEqual([])
})

test('what a list does not know any more is left out, and is no change', () => {
  const old = { ...view, filters: { gone: 1, orderStatus: 'not a list', loanKind: 'first' }, sort: '-gone' }
  const state = { pageSize: 20, ...stateOfView(list, old) }
  expect(state).toMatchObject({ filters: { loanKind: 'first' }, sort: list.defaultSort })
  expect(isChanged(list, old, state, own)).toBe(false)
})

test('no view keeps a value of a customer, whatever list it comes from', () => {
  const customer = new Set<string>([...sensitiveKinds, 'customerName', 'contactName'])
  const named = endpoints.flatMap(({ endpoint }) =>
    'filters' in endpoint
      ? Object.entries((endpoint as unknown as Listed).filters).flatMap(([name, schema]) =>
          customer.has(metaOf(schema as never).kind) ? [name] : [],
        )
      : [],
  )
  expect(named).toContain('phone')
  expect(named.filter(name => !unkept.has(name))).toEqual([])
  const state = { ...shown, filters: { ...shown.filters, phone: '256772345678', customerName: 'Grace' } }
  expect(lookOf(state, own).filters).toEqual(view.filters)
  expect(isChanged(list, view, state, own)).toBe(false)
})
