import { useEffect, useState } from 'react'
import { useMay, useRead } from '../../../../core/client/providers.tsx'
import { type OrderBvn, orderCollected } from '../../../../core/contract/order/collected.ts'
import { type Translate, useText } from '../../../../core/element/i18n.ts'
import { Facts, Section } from '../../../../core/engine/drawer/facts.tsx'
import { useCommand } from '../../../../core/engine/form/use-command.ts'
import { Button, Flex } from '../../../../core/ui/basics.ts'
import { Empty } from '../../../../core/ui/states.tsx'
import { StatusBadge, type Tone } from '../../../../core/ui/status-badge.tsx'
import { Loaded } from '../../../shared/loaded.tsx'

type Result = OrderBvn['bvnResult']
const tones: Record<Result, Tone> = {
  not_asked: 'wait',
  unknown: 'attention',
  none: 'attention',
  passed: 'good',
  failed: 'bad',
}

const said = (t: Translate, result: Result): string =>
  ({
    not_asked: t('order.bvnNotAsked'),
    unknown: t('order.bvnUnknown'),
    none: t('order.bvnUnknown'),
    passed: t('order.bvnPassed'),
    failed: t('order.bvnFailed'),
  })[result]

/** Seconds that are left of a wait which began when it was read. */
const useCountdown = (of: OrderBvn): number => {
  const [left, setLeft] = useState(of.waitSeconds)
  useEffect(() => {
    const end = Date.now() + of.waitSeconds * 1000
    setLeft(of.waitSeconds)
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - Date.now()) / 1000))
      setLeft(rest)
      if (rest === 0) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [of])
  return left
}

const Ask = ({ orderNo, of, reload }: { orderNo: string; of: OrderBvn; reload: () => void }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const left = useCountdown(of)
  const ask = async () => {
    await send(orderCollected.bvnQuery, { orderNo }, { done: answer => said(t, answer.bvnResult) })
    reload()
  }
  return (
    <Button size="1" variant="surface" loading={busy} disabled={left > 0} onClick={() => void ask()}>
      {left > 0 ? t('order.bvnWait', { n: left }) : t('actions.bvnQuery')}
    </Button>
  )
}

/** Whose the verification number is, as the banks say, beside what the customer stated. */
export const BvnTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  const may = useMay()
  const read = useRead(orderCollected.bvn, { orderNo })
  return (
    <Loaded read={read}>
      {of =>
        of.bvn === null ? (
          <Empty title={t('order.bvnNone')} />
        ) : (
          <div className="mk-cards">
            <Section
              title={t('order.tab.bvn')}
              aside={
                <Flex as="span" gap="2" align="center" display="inline-flex">
                  <StatusBadge tone={tones[of.bvnResult]} label={said(t, of.bvnResult)} />
                  {may.call(orderCollected.bvnQuery) && (
                    <Ask orderNo={orderNo} of={of} reload={() => void read.retry()} />
                  )}
                </Flex>
              }
              wide
            >
              <Facts
                schema={orderCollected.bvn.output}
                value={of}
                names={[
                  'bvn',
                  'bvnName',
                  'bvnBirthDate',
                  'nameMatch',
                  'birthDateMatch',
                  'phoneMatch',
                  'askedByName',
                  'bvnTime',
                ]}
              />
            </Section>
          </div>
        )
      }
    </Loaded>
  )
}
