import { useText } from '../../../core/element/i18n.ts'

/** Who refused an order, or that the machine did. */
export const RefusedBy = ({ row }: { row: { refusedByName: string | null } }) => {
  const t = useText()
  return row.refusedByName ?? t('reReview.machine')
}
