import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { BusinessConfigDialog } from '../../shared/business-config-dialog.tsx'

/** The most that one coupon of each type may be worth; a second person agrees to each change. */
export const CapsDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  return (
    <BusinessConfigDialog
      configKey="COUPON_TYPE_CAPS"
      title={t('coupon.caps')}
      description={t('coupon.capsHint')}
      close={close}
    />
  )
}
