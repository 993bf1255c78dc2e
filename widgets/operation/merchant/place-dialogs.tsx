import type { ComponentType } from 'react'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { BusinessConfigDialog } from '../../shared/business-config-dialog.tsx'
import { ChangeLog } from '../../shared/change-log.tsx'
import type { Place } from './place.ts'

/** When a puzzle is shown at the sign-in, and whose people show a code after their password; a second person agrees to each change. */
export const SignInPolicyDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  return (
    <BusinessConfigDialog
      configKey="SIGN_IN_POLICY"
      title={t('merchant.signInPolicy')}
      description={t('merchant.signInHint')}
      close={close}
    />
  )
}

/** Who changed the company or the organization of a branch, and what of it. */
export const changesOf = (place: Exclude<Place, { is: 'all' }>): ComponentType<DialogProps<never>> => {
  const [of, name] =
    place.is === 'company'
      ? [{ objectType: 'company', objectNo: place.companyCode }, place.companyName]
      : [{ objectType: 'org', objectNo: place.orgNo }, place.orgName]
  return ({ close }) => {
    const t = useText()
    return (
      <ModalDialog
        open
        onClose={() => close()}
        title={t('merchant.branchChanges')}
        description={name}
        footer={<DialogCancel />}
      >
        <ChangeLog {...of} words="merchant.did" />
      </ModalDialog>
    )
  }
}
