import type { AppVersionRow } from '../../../core/contract/operation/app-version.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Text } from '../../../core/ui/basics.ts'

type Props = { row: AppVersionRow; values: Readonly<Record<string, unknown>> }

const percentOf = ({ grayPercent }: Props['values']) => {
  const percent = Number(grayPercent)
  return Number.isInteger(percent) && percent >= 1 && percent <= 100 ? percent : null
}

/** To how many devices a release goes, and whether they have to take it. */
export const ReleasePreview = ({ row, values }: Props) => {
  const t = useText()
  const percent = percentOf(values)
  if (percent === null) return null
  const forced = values.forceUpdate === true
  return (
    <Text as="p" size="2" role="status" color={forced ? 'amber' : undefined}>
      {t('appVersion.releaseTo', {
        percent,
        devices: row.appDevices.toLocaleString('en'),
        forced: t(forced ? 'common.yes' : 'common.no'),
      })}
      {forced && ` · ${t('appVersion.forcedWaits')}`}
    </Text>
  )
}

/** How many more devices a wider release reaches. */
export const WidenPreview = ({ row, values }: Props) => {
  const t = useText()
  const to = percentOf(values)
  const from = row.grayPercent ?? 0
  if (to === null || to <= from) return null
  const more = Math.round((row.appDevices * (to - from)) / 100)
  return (
    <Text as="p" size="2" role="status">
      {t('appVersion.widenTo', { from, to, more: more.toLocaleString('en') })}
    </Text>
  )
}
