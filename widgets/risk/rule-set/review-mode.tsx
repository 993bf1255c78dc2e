import { useRead } from '../../../core/client/providers.tsx'
import { businessConfig, businessConfigs } from '../../../core/contract/common/business-config.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Callout } from '../../../core/ui/basics.ts'
import { BusinessConfigDialog } from '../../shared/business-config-dialog.tsx'

const configKey = 'MACHINE_REVIEW_MODE'
const tones = { on: 'gray', manual_all: 'amber', stop_intake: 'red' } as const

/** Says it while machine review does not decide, and who asked for a change that waits. */
export const ReviewModeLine = () => {
  const t = useText()
  const { data } = useRead(businessConfig.get, { configKey })
  const reviewMode = businessConfigs[configKey].schema.safeParse(data?.value).data?.reviewMode
  if (!data || !reviewMode) return null
  const { pendingApproval, updatedBy } = data
  if (reviewMode === 'on' && pendingApproval === null) return null
  return (
    <Callout.Root color={tones[reviewMode]} size="1" role="status">
      <Callout.Text>
        <b>{t(`dict.MACHINE_REVIEW_MODE.${reviewMode}`)}</b> {reviewMode !== 'on' && t(`riskPlan.said.${reviewMode}`)}{' '}
        {reviewMode !== 'on' && updatedBy && t('riskPlan.modeBy', { name: updatedBy })}{' '}
        {pendingApproval !== null && t('riskPlan.modeWaits', { name: pendingApproval })}
      </Callout.Text>
    </Callout.Root>
  )
}

/** What machine review does; a second person agrees to the change. */
export const ReviewModeDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  return (
    <BusinessConfigDialog
      configKey={configKey}
      title={t('riskPlan.mode')}
      description={t('riskPlan.modeHint')}
      close={close}
    />
  )
}
