import { useText } from '../../../core/element/i18n.ts'

/** The merchant that a rule is for; without one it is for all that have no rule of their own. */
export const RuleMerchant = ({ row }: { row: { merchantName: string | null } }) => {
  const t = useText()
  return row.merchantName ?? <b>{t('reReviewRule.allMerchants')}</b>
}
