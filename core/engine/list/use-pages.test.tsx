// @vitest-environment happy-dom
import { useState } from 'react'
import { expect, it } from 'vitest'
import { hooked } from '../../../tests/hook.tsx'
import type { ListState } from '../../client/url-state.ts'
import { usePages } from './use-pages.ts'

const start: ListState = { filters: { orderNo: 'LO1' }, sort: '-applyTime', pageNum: 1, pageSize: 20 }

const pages = (first: Partial<ListState> = {}) =>
  hooked(
    () => {
      const [state, setState] = useState({ ...start, ...first })
      const change = (by: Partial<ListState>) => setState(now => ({ ...now, ...by }))
      return { ...usePages(state, change), change }
    },
    undefined,
    inner => inner,
  )

it('asks for a page by its number, and turns to its neighbours by their rows', () => {
  const { now, does } = pages()
  expect(now().input).toEqual({ orderNo: 'LO1', sort: '-applyTime', pageNum: 1, pageSize: 20 })
  does(({ turn }) => turn(1, { next: 'behind' }))
  expect(now().input).toMatchObject({ pageNum: 2, after: 'behind' })
  does(({ turn }) => turn(1, { next: 'further', previous: 'ahead' }))
  expect(now().input).toMatchObject({ pageNum: 3, after: 'further' })
  does(({ turn }) => turn(-1, { previous: 'before' }))
  expect(now().input).toMatchObject({ pageNum: 2, before: 'before' })
  expect(now().input).not.toHaveProperty('after')
})

it('goes back to the first page by its number, so that new rows are seen', () => {
  const { now, does } = pages({ pageNum: 2 })
  does(({ turn }) => turn(-1, { previous: 'before' }))
  expect(now().input).toEqual({ orderNo: 'LO1', sort: '-applyTime', pageNum: 1, pageSize: 20 })
})

it('forgets its rows when filters, order or size change', () => {
  for (const by of [{ filters: {} }, { sort: 'applyTime' }, { pageSize: 50 }, { pageNum: 7 }]) {
    const { now, does } = pages()
    does(({ turn }) => turn(1, { next: 'behind' }))
    does(({ change }) => change(by))
    expect(now().input, JSON.stringify(by)).not.toHaveProperty('after')
  }
})
