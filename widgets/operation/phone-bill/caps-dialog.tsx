import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { BusinessConfigDialog } from '../../shared/business-config-dialog.tsx'

/** The most airtime of one person of each post in a month; a second person agrees to each change. */
export const CapsDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  return (
    <BusinessConfigDialog
      configKey="PHONE_BILL_CAPS"
      title={t('actions.airtimeCaps')}
      description={t('phoneBill.capsHint')}
      close={close}
    />
  )
}
