import { useMayOpen, useRead } from '../../../core/client/providers.tsx'
import { type Health, verifyCode } from '../../../core/contract/operation/verify-code.ts'
import { useText } from '../../../core/element/i18n.ts'
import { ScreenLink } from '../../../core/engine/table/value.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'

const routing = '/AdminContent/OperationSystem/SmsRouterConfig'
const everyMs = 60_000

const useHealth = (hours: 1 | 24) =>
  useRead(verifyCode.health, { hours }, { background: true, refreshInterval: () => everyMs }).data?.list ?? []

/** Nine of ten arrive: all is well; below six of ten somebody has to act. */
const toneOf = (deliveredRate: number | null | undefined) => {
  if (deliveredRate === null || deliveredRate === undefined) return 'wait' as const
  if (deliveredRate >= 90) return 'good' as const
  return deliveredRate >= 60 ? ('attention' as const) : ('bad' as const)
}

/** The share that arrived within some hours; how many that were, and how fast, is said on hovering. */
const Share = ({ of, span }: { of: Health | undefined; span: 'verifyCode.inHour' | 'verifyCode.inDay' }) => {
  const t = useText()
  const rate = of?.deliveredRate
  const names = of && { vendor: of.vendorName, network: dictText(t, 'SMS_NETWORK', of.network), n: of.sent }
  const inFull =
    names &&
    (rate === null || rate === undefined
      ? t('verifyCode.noRate', names)
      : t('verifyCode.rate', { ...names, rate, seconds: of.medianSeconds ?? '–' }))
  const label = t(span, { rate: rate === null || rate === undefined ? '–' : `${rate}%` })
  return (
    <span title={inFull}>
      <StatusBadge tone={toneOf(rate)} label={label} />
    </span>
  )
}

/** How texts arrive, by vendor and network, for the last hour and the last day. */
export const HealthStrip = () => {
  const t = useText()
  const mayRoute = useMayOpen(routing)
  const [hour, day] = [useHealth(1), useHealth(24)]
  const isSame = (a: Health) => (b: Health) => a.vendorName === b.vendorName && a.network === b.network
  return (
    <Flex gap="4" align="center" wrap="wrap" mb="2" role="group" aria-label={t('verifyCode.health')}>
      {day.map(one => (
        <Flex key={`${one.vendorName} ${one.network}`} gap="1" align="center">
          <Text size="1" color="gray">
            {one.vendorName} · {dictText(t, 'SMS_NETWORK', one.network)}
          </Text>
          <Share of={hour.find(isSame(one))} span="verifyCode.inHour" />
          <Share of={one} span="verifyCode.inDay" />
        </Flex>
      ))}
      {day.length === 0 && <Text size="1">{t('verifyCode.noTraffic')}</Text>}
      {mayRoute && (
        <ScreenLink to={routing} query={{}}>
          {t('verifyCode.switchRoute')}
        </ScreenLink>
      )}
    </Flex>
  )
}
