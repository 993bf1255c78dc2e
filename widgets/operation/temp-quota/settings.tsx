import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { BusinessConfigDialog } from '../../shared/business-config-dialog.tsx'

/** The most by which limits may be raised, by member level; a second person agrees to each change. */
export const CapsDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  return (
    <BusinessConfigDialog
      configKey="TEMP_QUOTA_MAX"
      title={t('quota.caps')}
      description={t('quota.capsHint')}
      close={close}
    />
  )
}

/** Whether customers must agree before a higher limit counts. */
export const ConsentDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  return (
    <BusinessConfigDialog
      configKey="LIMIT_RAISE_CONSENT"
      title={t('quota.consentSetting')}
      description={t('quota.consentHint')}
      close={close}
    />
  )
}
