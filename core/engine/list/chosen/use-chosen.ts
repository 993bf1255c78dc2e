import { useEffect, useRef, useState } from 'react'
import { CallError } from '../../../client/errors.ts'
import { useClient } from '../../../client/providers.tsx'
import type { ListState } from '../../../client/url-state.ts'
import { countCap } from '../../../contract/endpoint.ts'
import { type Translate, useText } from '../../../element/i18n.ts'
import { useToast } from '../../form/use-act.ts'
import type { Action, Listed } from '../../screen.ts'
import type { Row } from '../../table/columns.ts'
import { loadRows } from '../load-rows.ts'
import { bulkLimit, choiceLimit } from './bulk-limit.ts'

type Page = { list: readonly Row[]; total: number }
type Given = {
  list: Listed
  rowKey: string
  state: ListState
  /** The page on screen. */
  page: Page | undefined
  bulk: readonly Action<Row>[]
}
const none: ReadonlyMap<string, Row> = new Map()

type Offer = {
  t: Translate
  page: Page | undefined
  chosen: ReadonlyMap<string, Row>
  limit: number
  keyOf: (row: Row) => string
}

/** How many are chosen, and the way to all that match. */
const offerOf = ({ t, page, chosen, limit, keyOf }: Offer, all: { loading: boolean; choose: () => void }) => {
  const total = page?.total ?? 0
  const wholePage = page !== undefined && page.list.length > 0 && page.list.every(row => chosen.has(keyOf(row)))
  const words = total >= countCap ? `${(countCap - 1).toLocaleString('en')}+` : total.toLocaleString('en')
  return {
    /** Offered once the whole page is chosen and more rows match. */
    more:
      wholePage && chosen.size < limit
        ? {
            label:
              limit < total ? t('list.chooseFirst', { n: limit, total: words }) : t('list.chooseAll', { n: words }),
            ...all,
          }
        : undefined,
    /** How many are chosen, and how that stands to all that match. */
    words:
      chosen.size < limit || chosen.size <= (page?.list.length ?? 0)
        ? t('common.chosen', { n: chosen.size })
        : limit < total
          ? t('list.chosenFirst', { n: chosen.size, total: words })
          : t('list.chosenAll', { n: chosen.size }),
  }
}

/** The rows chosen for a bulk action: by hand on any page, or all that match as far as an action takes them. */
export const useChosen = ({ list, rowKey, state, page, bulk }: Given) => {
  const t = useText()
  const client = useClient()
  const toast = useToast()
  const [chosen, setChosen] = useState(none)
  const [loading, setLoading] = useState(false)
  const filters = JSON.stringify(state.filters)
  const asked = useRef(filters)
  const keyOf = (row: Row) => String(row[rowKey])
  useEffect(() => {
    if (asked.current === filters) return
    asked.current = filters
    setChosen(none)
  }, [filters])

  const total = page?.total ?? 0
  const limit = Math.min(total, choiceLimit(bulk, rowKey))

  const chooseAll = async () => {
    setLoading(true)
    try {
      const found = await loadRows({ client, list, state, keyOf, limit })
      if (asked.current === filters) setChosen(found)
    } catch (error) {
      toast.failed(error instanceof CallError ? error.message : t('common.noConnection'))
    } finally {
      setLoading(false)
    }
  }
  return {
    rowKey,
    rows: [...chosen.values()],
    keys: new Set(chosen.keys()),
    choose: (keys: ReadonlySet<string>) =>
      setChosen(
        new Map(
          [...keys].flatMap(key => {
            const row = page?.list.find(one => keyOf(one) === key) ?? chosen.get(key)
            return row ? [[key, row] as const] : []
          }),
        ),
      ),
    limitOf: (action: Action<Row>) => bulkLimit(action, rowKey),
    toggle: (key: string) =>
      setChosen(now => {
        const next = new Map(now)
        const row = page?.list.find(one => keyOf(one) === key)
        if (!next.delete(key) && row) next.set(key, row)
        return next
      }),
    clear: () => setChosen(none),
    ...offerOf({ t, page, chosen, limit, keyOf }, { loading, choose: () => void chooseAll() }),
  }
}
/** The rows that are ticked, over all pages. */
export type Chosen = ReturnType<typeof useChosen>
