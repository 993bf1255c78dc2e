import { useEffect, useState } from 'react'
import { useText } from '../../../../core/element/i18n.ts'
import { eatDateTime } from '../../../../core/rules/time.ts'
import { Button, TextField } from '../../../../core/ui/basics.ts'
import { WorkField } from '../field.tsx'
import { useWork } from '../work.ts'

const minuteNow = () => eatDateTime(new Date()).slice(0, 16)

/** When the loan counts as approved: now, unless another EAT time is typed. */
export const ApprovalTime = () => {
  const t = useText()
  const { draft, change } = useWork()
  const [now, setNow] = useState(minuteNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(minuteNow()), 10_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <WorkField name="approvalTime" label={t('fields.approvalTime')}>
      {control => (
        <TextField.Root
          {...control}
          value={draft.approvalTime ?? now}
          maxLength={19}
          placeholder="YYYY-MM-DD HH:mm"
          onChange={event => change({ approvalTime: event.target.value })}
        >
          <TextField.Slot side="right">
            EAT
            {draft.approvalTime !== undefined && (
              <Button size="1" variant="ghost" onClick={() => change({ approvalTime: undefined })}>
                {t('audit.now')}
              </Button>
            )}
          </TextField.Slot>
        </TextField.Root>
      )}
    </WorkField>
  )
}
