import { auditResults, sendBackReasons } from '../../../../core/contract/audit/decisions.ts'
import type { Draft } from '../../../../core/contract/audit/queue.ts'
import { useText } from '../../../../core/element/i18n.ts'
import { Button, TextField } from '../../../../core/ui/basics.ts'
import { Kbd } from '../../../../core/ui/more.ts'
import { Pick, WorkField } from '../field.tsx'
import { useWork } from '../work.ts'
import { WorkSection } from '../work-section.tsx'
import { PassForm } from './pass-form.tsx'
import { RefuseForm } from './refuse-form.tsx'

type Result = NonNullable<Draft['auditResult']>
export const decisions = auditResults.values
export const colorOf: Record<Result, 'green' | 'red' | 'amber'> = { pass: 'green', refuse: 'red', sent_back: 'amber' }

const SendBackForm = () => {
  const t = useText()
  const { draft, change } = useWork()
  return (
    <WorkField name="sendBackReason" label={t('fields.sendBackReason')}>
      {control => (
        <Pick
          control={control}
          options={sendBackReasons.values.map(value => ({ value, label: t(`dict.SEND_BACK_REASON.${value}`) }))}
          value={draft.sendBackReason}
          placeholder={t('audit.chooseCode')}
          onChange={reason => change({ sendBackReason: reason as Draft['sendBackReason'] })}
        />
      )}
    </WorkField>
  )
}

const forms = { pass: PassForm, refuse: RefuseForm, sent_back: SendBackForm }

/** Pass, refuse or send back, with what each needs. */
export const Decision = () => {
  const t = useText()
  const { draft, change } = useWork()
  const Form = draft.auditResult && forms[draft.auditResult]
  return (
    <WorkSection title={t('audit.decision')} name="auditResult">
      <div
        className="mk-choices"
        data-decision
        role="group"
        aria-label={t('audit.decision')}
        title={t('audit.keyHint')}
      >
        {decisions.map((result, index) => {
          const on = draft.auditResult === result
          return (
            <Button
              key={result}
              size="2"
              variant={on ? 'solid' : 'surface'}
              color={on ? undefined : 'gray'}
              aria-pressed={on}
              aria-keyshortcuts={String(index + 1)}
              onClick={() => change({ auditResult: result })}
            >
              <Kbd size="1">{index + 1}</Kbd> {t(`audit.choose.${result}`)}
            </Button>
          )
        })}
      </div>
      {Form && (
        <div className="mk-form">
          <Form />
          <WorkField name="remark" label={t('fields.remark')}>
            {control => (
              <TextField.Root
                {...control}
                value={draft.remark ?? ''}
                maxLength={200}
                onChange={event => change({ remark: event.target.value })}
              >
                <TextField.Slot side="right">{(draft.remark ?? '').length}/30</TextField.Slot>
              </TextField.Root>
            )}
          </WorkField>
        </div>
      )}
    </WorkSection>
  )
}
