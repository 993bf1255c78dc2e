import { lazy, Suspense } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { type SmsTaskRow, smsTasks } from '../../../core/contract/marketing/sms-task.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { BusinessConfigDialog } from '../../shared/business-config-dialog.tsx'

// The form is fetched when it is opened: most who open the list read it.
const Form = lazy(async () => ({ default: (await import('./task-form.tsx')).TaskForm }))
const plainRate = 600

/** Makes a new task, in four steps. */
export const NewTask = ({ close }: { close: (changed?: boolean) => void }) => (
  <Suspense>
    <Form first={{ audienceSource: 'filter', languageMode: 'customer', ratePerMinute: plainRate }} close={close} />
  </Suspense>
)

/** Makes a task like another one; what it would do is looked at as of now, and a group is verified again. */
export const CopyTask = ({ rows: [row], close }: DialogProps<SmsTaskRow>) => {
  const { data } = useRead(smsTasks.detail, { taskNo: row.taskNo })
  if (!data) return null
  const { merchantNo, templateNo, userGroupNo, ratePerMinute } = data.task
  const first = {
    ...{ audienceSource: 'filter' as const, languageMode: 'customer' as const, ...data.asked },
    ...{ merchantNo, ratePerMinute, taskName: `${row.taskName.slice(0, 26)} (2)` },
    ...(templateNo ? { templateNo } : {}),
    ...(userGroupNo ? { userGroupNo } : {}),
  }
  return (
    <Suspense>
      <Form first={first} close={close} />
    </Suspense>
  )
}

type Close = { close: (changed?: boolean) => void }

/** When people may be contacted; a second person agrees to each change. */
export const HourRules = ({ close }: Close) => {
  const t = useText()
  return (
    <BusinessConfigDialog
      configKey="CONTACT_WINDOW"
      title={t('smsTask.hours')}
      description={t('smsTask.hoursHint')}
      close={close}
    />
  )
}

/** How often people may be contacted. */
export const CapRules = ({ close }: Close) => {
  const t = useText()
  return (
    <BusinessConfigDialog
      configKey="CONTACT_CAP"
      title={t('smsTask.caps')}
      description={t('smsTask.capsHint')}
      close={close}
    />
  )
}

/** What texts of a month may cost, and which tasks wait for a second person. */
export const BudgetRules = ({ close }: Close) => {
  const t = useText()
  return (
    <BusinessConfigDialog
      configKey="SMS_TASK_MAX"
      title={t('smsTask.budget')}
      description={t('smsTask.budgetHint')}
      close={close}
    />
  )
}
