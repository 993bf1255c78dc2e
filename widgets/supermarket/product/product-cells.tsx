import type { MarketProductRow } from '../../../core/contract/supermarket/market-product.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useFile } from '../../../core/engine/files/use-file.ts'
import { eatDateTime } from '../../../core/rules/time.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'

type Row = MarketProductRow

/** The picture of a product; nothing while it is fetched, or when it cannot be. */
export const Logo = ({ uploadNo, size = 20 }: { uploadNo: string | null; size?: number }) => {
  const address = useFile(uploadNo)
  return address ? (
    <img src={address} alt="" width={size} height={size} onError={event => event.currentTarget.remove()} />
  ) : null
}

/** Its picture and name, and whether it is a draft of one that customers see. */
export const ProductName = ({ row }: { row: Row }) => {
  const t = useText()
  return (
    <Flex gap="2" align="center">
      <Logo uploadNo={row.logo} />
      <span>{row.marketProductName}</span>
      {row.draftOf !== null && <StatusBadge tone="wait" label={t('market.draftOf')} />}
    </Flex>
  )
}

/** What everything costs in a month, in red where a legal cap says less. */
export const Rate = ({ row }: { row: Row }) =>
  row.allInMonthRate === null ? (
    <span className="mk-none">–</span>
  ) : (
    <Text size="2" color={row.overCap ? 'red' : undefined}>
      {row.allInMonthRate} %
    </Text>
  )

/** Whether its link opened when it was last tried. */
export const LinkState = ({ row }: { row: Row }) => {
  const t = useText()
  if (row.linkTime === null) return <span className="mk-none">–</span>
  const when = eatDateTime(row.linkTime).slice(0, 16)
  return row.linkFault === null ? (
    <span title={when}>
      <StatusBadge tone="good" label={t('market.link.ok')} />
    </span>
  ) : (
    <span title={when}>
      <StatusBadge tone="bad" label={t.maybe(`market.link.${row.linkFault}`) ?? row.linkFault} />
    </span>
  )
}
