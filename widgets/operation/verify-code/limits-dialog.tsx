import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { BusinessConfigDialog } from '../../shared/business-config-dialog.tsx'

/** How many codes are sent and what they may cost; a second person agrees to each change. */
export const LimitsDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  return (
    <BusinessConfigDialog
      configKey="VERIFY_CODE_LIMITS"
      title={t('verifyCode.limitsOf')}
      description={t('verifyCode.fixed')}
      close={close}
    />
  )
}
