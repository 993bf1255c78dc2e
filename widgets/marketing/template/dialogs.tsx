import { lazy, Suspense } from 'react'
import type { SmsTemplateRow } from '../../../core/contract/marketing/sms-template.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { BusinessConfigDialog } from '../../shared/business-config-dialog.tsx'

// The form is fetched when it is opened: most who open the list read it.
const Form = lazy(async () => ({ default: (await import('./template-form.tsx')).Form }))

/** Writes a new text. */
export const NewText = ({ close }: { close: (changed?: boolean) => void }) => (
  <Suspense>
    <Form first={{}} title="actions.newText" close={close} />
  </Suspense>
)

/** Changes a text that is not in force: its next version. */
export const EditText = ({ rows: [row], close }: DialogProps<SmsTemplateRow>) => {
  const { templateNo, version, templateName, merchantNo, contentEn, contentSw, contentZh } = row
  const first = {
    templateNo,
    version,
    templateName,
    merchantNo,
    contentEn,
    contentSw,
    ...(contentZh ? { contentZh } : {}),
  }
  return (
    <Suspense>
      <Form first={first} title="actions.editText" close={close} />
    </Suspense>
  )
}

/** What every text of marketing ends with, and where its links may lead. */
export const TextSettings = ({ close }: DialogProps<never>) => {
  const t = useText()
  return (
    <BusinessConfigDialog
      configKey="MARKETING_TEXT"
      title={t('actions.textSettings')}
      description={t('smsTemplate.settingsHint')}
      close={close}
    />
  )
}
