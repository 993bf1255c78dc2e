import { useState } from 'react'
import type { ListState } from '../../client/url-state.ts'

/** The cursors of the neighbouring pages, as the server gave them. */
export type Ways = { next?: string | null | undefined; previous?: string | null | undefined }
type Turned = { of: string; by: { after: string } | { before: string } }

const textOf = ({ filters, sort, pageNum, pageSize }: ListState) => JSON.stringify([filters, sort, pageNum, pageSize])

/**
 * What a list asks its server for, and turning its page. The neighbours of a page are those of its rows, wherever these stand by now;
 * the first page and one that an address names are found by their number.
 */
export const usePages = (state: ListState, change: (by: Partial<ListState>) => void) => {
  const [turned, setTurned] = useState<Turned | null>(null)
  const { filters, sort, pageNum, pageSize } = state
  const turn = (by: 1 | -1, { next, previous }: Ways) => {
    const pageNum = state.pageNum + by
    const of = textOf({ ...state, pageNum })
    if (by === 1) setTurned(next ? { of, by: { after: next } } : null)
    else setTurned(previous && pageNum > 1 ? { of, by: { before: previous } } : null)
    change({ pageNum })
  }
  const way = turned?.of === textOf(state) ? turned.by : {}
  return { input: { ...filters, pageNum, pageSize, sort, ...way }, turn }
}
