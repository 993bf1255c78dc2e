import { useMayOpen, useRead } from '../../../core/client/providers.tsx'
import { type Health, verifyCode } from '../../../core/contract/operation/verify-code.ts'
import { useText } from '../../../core/element/i18n.ts'
import { ScreenLink } from '../../../core/engine/table/value.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'

const routing = '/AdminContent/OperationSystem/SmsRouterConfig'
const everyMs = 60_000

/** Nine of ten arrive: all is well; below six of ten somebody has to act. */
const toneOf = ({ deliveredRate }: Health) => {
  if (deliveredRate === null) return 'wait' as const
  if (deliveredRate >= 90) return 'good' as const
  return deliveredRate >= 60 ? ('attention' as const) : ('bad' as const)
}

const One = ({ of }: { of: Health }) => {
  const t = useText()
  const { vendorName: vendor, network, sent: n, deliveredRate: rate, medianSeconds } = of
  const names = { vendor, network: dictText(t, 'SMS_NETWORK', network), n }
  const label =
    rate === null
      ? t('verifyCode.noRate', names)
      : t('verifyCode.rate', { ...names, rate, seconds: medianSeconds ?? '–' })
  return <StatusBadge tone={toneOf(of)} label={label} />
}

const Line = ({ hours }: { hours: 1 | 24 }) => {
  const t = useText()
  const { data } = useRead(verifyCode.health, { hours }, { background: true, refreshInterval: () => everyMs })
  return (
    <Flex gap="2" align="center" wrap="wrap">
      <Text size="1" color="gray">
        {t(hours === 1 ? 'verifyCode.lastHour' : 'verifyCode.lastDay')}
      </Text>
      {data?.list.map(one => (
        <One key={`${one.vendorName} ${one.network}`} of={one} />
      ))}
      {data?.list.length === 0 && <Text size="1">{t('verifyCode.noTraffic')}</Text>}
    </Flex>
  )
}

/** How texts arrive, by vendor and network, for the last hour and the last day. */
export const HealthStrip = () => {
  const t = useText()
  const mayRoute = useMayOpen(routing)
  return (
    <Flex direction="column" gap="1" mb="2" role="group" aria-label={t('verifyCode.health')}>
      <Line hours={1} />
      <Line hours={24} />
      {mayRoute && (
        <ScreenLink to={routing} query={{}}>
          {t('verifyCode.switchRoute')}
        </ScreenLink>
      )}
    </Flex>
  )
}
