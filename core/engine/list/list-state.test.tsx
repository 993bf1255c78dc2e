// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest'
import { hooked } from '../../../tests/hook.tsx'
import { auditManage } from '../../contract/audit/order-list.ts'
import type { View } from '../../contract/portal/view.ts'
import { type Host, HostContext } from '../../element/context.ts'
import type { Listed, ListScreen } from '../screen.ts'
import { useListState } from './list-state.ts'

type Given = { filters?: Readonly<Record<string, unknown>>; open?: string; view?: View }

const screen = { list: auditManage.manageList, start: { overdue: true } } as unknown as ListScreen<Listed>
const view = {
  viewNo: 'V1',
  filters: { orderNo: 'LO1' },
  sort: '-loanAmount',
  columns: ['orderNo'],
  density: null,
} as unknown as View

const list = (first: Given = {}) => {
  const emit = vi.fn()
  const run = hooked(
    ({ view }: Given) => useListState(screen, view),
    first,
    (inner, { filters, open }) => (
      <HostContext value={{ props: { filters, open }, emit } as unknown as Host}>{inner}</HostContext>
    ),
  )
  return { ...run, emit, state: () => run.now().state }
}

describe('the state of a list', () => {
  it('begins as the screen says, and with the row that its element names', () => {
    const start = { filters: { overdue: true }, sort: auditManage.manageList.defaultSort, pageNum: 1, pageSize: 20 }
    expect(list().state()).toEqual(start)
    expect(list({ open: 'LO1' }).state()).toEqual({ ...start, open: 'LO1' })
  })

  it('is what the host gives, not what the screen starts with', () => {
    const { state } = list({ filters: { orderNo: 'LO7', sort: 'loanAmount', pageNum: 3 } })
    expect(state()).toMatchObject({ filters: { orderNo: 'LO7' }, sort: 'loanAmount', pageNum: 3, pageSize: 20 })
  })

  it('leaves out what is no range where one is meant', () => {
    const given = { applyTime: '2026-03-02', loanAmount: '1,3', orderNo: 'LO7' }
    expect(list({ filters: given }).state().filters).toEqual({ orderNo: 'LO7' })
    expect(list({ filters: { applyTime: 'today' } }).state().filters).toEqual({ applyTime: 'today' })
  })

  it('tells the host of each change, and keeps what the change does not name', () => {
    const { does, state, emit } = list({ open: 'LO1' })
    does(now => now.change({ pageNum: 2 }))
    does(now => now.change({ open: undefined }))
    expect(state()).toMatchObject({ filters: { overdue: true }, pageNum: 2 })
    expect(state()).not.toHaveProperty('open')
    expect(emit).toHaveBeenLastCalledWith('mkopo-filters-change', state())
  })

  it('takes a view that becomes known later only while the list is untouched', () => {
    const fresh = list()
    fresh.render({ view })
    expect(fresh.state()).toMatchObject({ view: 'V1', filters: { orderNo: 'LO1' }, sort: '-loanAmount' })
    const used = list()
    used.does(now => now.change({ pageNum: 2 }))
    used.render({ view })
    expect(used.state()).toMatchObject({ filters: { overdue: true }, pageNum: 2 })
    expect(used.state()).not.toHaveProperty('view')
  })

  it('follows an address that changes, and begins again when the address names nothing', () => {
    const { render, state } = list({ filters: { orderNo: 'LO7' } })
    render({ filters: { orderNo: 'LO8' } })
    expect(state().filters).toEqual({ orderNo: 'LO8' })
    render({})
    expect(state().filters).toEqual({ overdue: true })
  })
})
