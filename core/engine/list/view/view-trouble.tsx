import type { ReactNode } from 'react'
import { CallError, fieldErrors } from '../../../client/errors.ts'
import type { ListState } from '../../../client/url-state.ts'
import { codes } from '../../../contract/codes.ts'
import { type Translate, useText } from '../../../element/i18n.ts'
import type { Key } from '../../../i18n/index.ts'
import { Button } from '../../../ui/basics.ts'
import { Empty, Failed } from '../../../ui/states.tsx'
import { labelOf } from '../../table/columns.ts'
import { startRanges, withoutStartRanges } from '../default-range.ts'
import { startOf } from '../list-state.ts'

import type { ListViewState } from './use-list-view.ts'

/** The fault of a filter, with its name. */
const refusedBy = (t: Translate, error: Error): string => {
  const [path = '', value = ''] = Object.entries(fieldErrors(error))[0] ?? []
  const [name] = path.split('.')
  return name ? t('common.labelled', { label: labelOf(t, name), value }) : error.message
}

type Back = (to: Partial<ListState>, label?: Key) => ReactNode

/** The empty state of a list, with the next step. */
const emptyOf = (t: Translate, { screen, state, start }: ListViewState, back: Back) => {
  const isFiltered = JSON.stringify(state.filters) !== JSON.stringify(start)
  return state.pageNum > 1
    ? { title: t('list.emptyPage'), hint: t('list.emptyPageHint'), action: back({ pageNum: 1 }, 'list.firstPage') }
    : !isFiltered && Object.keys(startRanges(screen)).length
      ? {
          title: t('list.noneMatch'),
          hint: t('common.emptyFiltered'),
          action: back({ filters: withoutStartRanges(screen, start) }, 'common.anyTime'),
        }
      : isFiltered
        ? { title: t('list.noneMatch'), hint: t('common.emptyFiltered'), action: back({ filters: start }) }
        : { title: t('common.emptyList'), hint: t('common.emptyYet') }
}

/** The error or empty state of a list; the last rows stay, dimmed. */
export const useTrouble = (view: ListViewState) => {
  const t = useText()
  const { screen, answer, error, reload, change } = view
  const code = error instanceof CallError ? error.code : undefined
  const back: Back = (to, label = 'common.reset') => (
    <Button variant="soft" color="gray" onClick={() => change({ pageNum: 1, ...to })}>
      {t(label)}
    </Button>
  )
  const refused = code === codes.validation
  const trouble = error
    ? {
        message: refused ? refusedBy(t, error as Error) : code ? (error as Error).message : t('common.noConnection'),
        ...(refused ? { action: back(startOf(screen)) } : { onRetry: reload }),
      }
    : undefined
  const stale = trouble !== undefined && answer !== undefined
  const off = stale ? t('list.stale') : undefined
  const empty = emptyOf(t, view, back)
  const instead =
    trouble && !answer ? <Failed {...trouble} /> : answer?.list.length === 0 ? <Empty {...empty} /> : undefined
  return { isForbidden: code === codes.forbidden, trouble, stale, off, instead }
}
