import { useEffect, useId, useRef, useState } from 'react'
import { useClient, useMay, usePrefetch, useSelf } from '../../../core/client/providers.tsx'
import { auditQueue } from '../../../core/contract/audit/queue.ts'
import { order } from '../../../core/contract/order/order.ts'
import { orderBrief } from '../../../core/contract/order/order-brief.ts'
import { useHost } from '../../../core/element/context.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useAct, useToast } from '../../../core/engine/form/use-act.ts'
import { ScreenLink } from '../../../core/engine/table/value.tsx'
import { Button, Checkbox, Flex, Text } from '../../../core/ui/basics.ts'
import { auditPath, myAuditPath } from '../audit-path.ts'

/** Who wants the next order opened at once, as long as the page lives. */
const wanting = new Set<string>()

/** Opens the order that waits longest after this one. */
export const useNext = (orderNo: string) => {
  const t = useText()
  const host = useHost()
  const act = useAct()
  const toast = useToast()
  return async () => {
    const { from } = host.props
    const found = await act.send(auditQueue.next, { after: orderNo }, { done: () => null }).catch(() => null)
    if (!found) return
    if (found.orderNo)
      host.emit('mkopo-navigate', {
        to: auditPath,
        query: { orderNo: found.orderNo, ...(from ? { from } : {}) },
        target: 'same',
      })
    else toast.info(t('audit.nothingWaits'))
  }
}

/** How long an order is looked at before the next one is fetched in advance. */
const settled = 5_000

/** Fetches the order that waits longest after this one while this one is read, so that it is there at once. */
export const usePrefetchedNext = (orderNo: string) => {
  const client = useClient()
  const prefetch = usePrefetch()
  const mayNext = useMay().call(auditQueue.next)
  useEffect(() => {
    if (!mayNext) return
    const timer = setTimeout(async () => {
      const found = await client.call(auditQueue.next, { after: orderNo }, { background: true }).catch(() => null)
      if (!found?.orderNo) return
      prefetch(orderBrief.summary, { orderNo: found.orderNo })
      prefetch(order.basic, { orderNo: found.orderNo })
    }, settled)
    return () => clearTimeout(timer)
  }, [client, prefetch, mayNext, orderNo])
}

/** After the decision: on to the next order, by itself for who wants that. */
export const Next = ({ orderNo, auto = false }: { orderNo: string; auto?: boolean }) => {
  const t = useText()
  const host = useHost()
  const may = useMay()
  const id = useId()
  const userNo = useSelf().data?.userInfo.userNo ?? ''
  const [wanted, setWanted] = useState(wanting.has(userNo))
  const next = useNext(orderNo)
  const go = useRef(next)
  go.current = next
  const [leave] = useState(auto && wanting.has(userNo))
  useEffect(() => {
    if (leave) void go.current()
  }, [leave])
  if (!may.call(auditQueue.next)) return null
  const want = (on: boolean) => {
    if (on) wanting.add(userNo)
    else wanting.delete(userNo)
    setWanted(on)
    host.emit('mkopo-action', { action: `audit.openNext.${on ? 'on' : 'off'}`, ids: [], outcome: 'done' })
  }
  return (
    <Flex direction="column" gap="3" align="start">
      <Flex gap="3" align="center">
        <Button autoFocus={auto} onClick={() => void next()}>
          {t('audit.next')}
        </Button>
        <ScreenLink to={myAuditPath} query={{}}>
          {t('audit.backToList')}
        </ScreenLink>
      </Flex>
      <Text as="label" size="2" htmlFor={id}>
        <Flex gap="2" align="center">
          <Checkbox id={id} checked={wanted} onCheckedChange={on => want(on === true)} />
          {t('audit.openNext')}
        </Flex>
      </Text>
    </Flex>
  )
}
