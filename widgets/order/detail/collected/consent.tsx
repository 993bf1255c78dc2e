import type { ReactNode } from 'react'
import { useText } from '../../../../core/element/i18n.ts'
import { eatDateTime } from '../../../../core/rules/time.ts'
import { Text } from '../../../../core/ui/basics.ts'
import { Empty } from '../../../../core/ui/states.tsx'

type Props = { consentTime: string | null; none: boolean; children: ReactNode }

/** What was collected, with when the customer agreed to it; without consent, or without data, that. */
export const Consented = ({ consentTime, none, children }: Props) => {
  const t = useText()
  if (consentTime === null) return <Empty title={t('order.noConsent')} />
  return (
    <div className="mk-stack">
      <Text size="1" color="gray">
        {t('order.consentAt', { time: eatDateTime(consentTime) })}
      </Text>
      {none ? <Empty title={t('order.noneCollected')} /> : children}
    </div>
  )
}
