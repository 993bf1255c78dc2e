import { useState } from 'react'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { smsTasks } from '../../../core/contract/marketing/sms-task.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Button, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { useWriting, WritingNotes, Written } from '../../shared/message/writing.tsx'
import { ColleagueTest } from './colleague-test.tsx'
import { GroupField } from './group-field.tsx'
import { TaskEffect } from './task-effect.tsx'

const { create } = smsTasks
type Answers = Partial<InputOf<typeof create>>
type Props = { first: Answers; close: (changed?: boolean) => void }

const groupFields = ['taskName', 'merchantNo', 'audienceSource', 'userGroupNo'] as const
const filterFields = [
  ...(['taskName', 'merchantNo', 'audienceSource', 'audienceStatuses', 'loanKind', 'memberLevels'] as const),
  ...(['settledFrom', 'settledTo'] as const),
]
const optional: readonly string[] = [
  'audienceStatuses',
  'loanKind',
  'memberLevels',
  'settledFrom',
  'settledTo',
  'sendTime',
]
const titles = ['smsTask.step1', 'smsTask.step2', 'smsTask.step3', 'smsTask.step4'] as const
const last = titles.length - 1

const namesOf = (step: number, { audienceSource, languageMode }: Answers): readonly string[] => {
  if (step === 0) return audienceSource === 'group' ? groupFields : filterFields
  if (step === 1)
    return languageMode === 'fixed' ? ['templateNo', 'languageMode', 'language'] : ['templateNo', 'languageMode']
  return step === 2 ? ['sendTime', 'ratePerMinute'] : []
}

type ButtonProps = { step: number; go: () => void; back: () => void; busy: boolean; off: boolean }
const Buttons = ({ step, go, back, busy, off }: ButtonProps) => {
  const t = useText()
  return (
    <>
      <DialogCancel />
      {step > 0 && (
        <Button variant="soft" color="gray" onClick={back}>
          {t('smsTask.back')}
        </Button>
      )}
      <Button loading={busy} disabled={off} onClick={go}>
        {t(step < last ? 'smsTask.next' : 'smsTask.make')}
      </Button>
    </>
  )
}

/** A task in four steps: whom, which text, when, and what it would do; only then is it made. */
export const TaskForm = ({ first, close }: Props) => {
  const t = useText()
  const [step, setStep] = useState(0)
  const writing = useWriting({ save: create, first, saved: t('smsTask.made'), close })
  const { box, notes, busy, submit, answers, check, put } = writing
  const names = namesOf(step, answers)
  const isUnverified = answers.audienceSource === 'group' && !answers.verifyToken
  const go = () => {
    if (check(names) && !(step === 0 && isUnverified)) setStep(step + 1)
  }
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('actions.newTask')}
      description={t(titles[step] ?? 'smsTask.step1')}
      footer={
        <Buttons
          step={step}
          go={step < last ? go : () => void submit()}
          back={() => setStep(step - 1)}
          busy={busy}
          off={(step === 0 && isUnverified) || (step === last && !answers.previewToken)}
        />
      }
    >
      <form ref={box} noValidate onSubmit={event => event.preventDefault()}>
        <div className="mk-form">
          {names.map(name =>
            name === 'userGroupNo' ? (
              <GroupField key={name} writing={writing} />
            ) : (
              <Written
                key={name}
                name={name}
                writing={writing}
                {...(optional.includes(name) ? { optional: true } : {})}
              />
            ),
          )}
          {step === 0 && isUnverified && (
            <Text size="1" color="gray">
              {t('smsTask.verifyFirst')}
            </Text>
          )}
        </div>
        {step === last && <TaskEffect answers={answers} writing={writing} show={token => put('previewToken', token)} />}
        <WritingNotes notes={notes} />
      </form>
      {step === last && answers.previewToken && <ColleagueTest answers={answers} />}
    </ModalDialog>
  )
}
