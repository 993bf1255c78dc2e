import { useCallback, useEffect, useState } from 'react'
import { useHost } from '../../../core/element/context.ts'

export const orderTabs = [
  'basic',
  'payout',
  'repayment',
  'history',
  'review',
  'steps',
  'decision',
  'attachments',
  'relations',
  'affinity',
  'operator',
  'apps',
  'location',
  'device',
  'bvn',
  'faces',
  'merchants',
  'repayCode',
  'changes',
] as const
export type OrderTab = (typeof orderTabs)[number]

const tabFrom = (named: unknown): OrderTab => orderTabs.find(tab => tab === named) ?? 'basic'
const digit = /^Digit([1-9])$/

/** The tab in sight. The host hears of it and may give it back through `filters`; Alt with a digit chooses by place. */
export const useOrderTab = (): [OrderTab, (tab: OrderTab) => void] => {
  const host = useHost()
  const named = host.props.filters?.tab
  const [tab, setTab] = useState(tabFrom(named))
  const [address, setAddress] = useState(named)
  if (named !== address) {
    setAddress(named)
    setTab(tabFrom(named))
  }
  const choose = useCallback(
    (next: OrderTab) => {
      setTab(next)
      const filters: Record<string, string> = next === 'basic' ? {} : { tab: next }
      host.emit('mkopo-filters-change', { filters, pageNum: 1, pageSize: 20 })
    },
    [host],
  )
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      const next = orderTabs[Number(digit.exec(event.code)?.[1]) - 1]
      if (!next) return
      event.preventDefault()
      choose(next)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [choose])
  return [tab, choose]
}
