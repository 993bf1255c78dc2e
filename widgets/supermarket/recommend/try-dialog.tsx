import { useState } from 'react'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { recommend } from '../../../core/contract/supermarket/recommend.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Answer = OutputOf<typeof recommend.resolve>
const { shape } = recommend.resolve.input
const asked = ['customerNo', 'slot', 'appCode'] as const

const Tried = ({ answer }: { answer: Answer }) => {
  const t = useText()
  return answer.overdue ? (
    <Text as="p" size="2" color="amber">
      {t('recommend.overdue')}
    </Text>
  ) : (
    <SmallTable
      schema={recommend.resolve.output.shape.list.element}
      rows={answer.list}
      rowKey="recommendNo"
      names={['recommendName', 'marketProductName', 'tryVerdict']}
      empty={t('recommend.noneRuns')}
    />
  )
}

/** What one customer would see in a place, and why nothing else. */
export const TryDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [values, setValues] = useState<Partial<Record<(typeof asked)[number], string>>>({})
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const whole = asked.every(name => values[name])
  const ask = async () => {
    setNote(null)
    const outcome = await send(recommend.resolve, values as never, {
      ids: [String(values.customerNo)],
      done: () => null,
    })
    if (outcome.is === 'done') return setAnswer(outcome.answer)
    setAnswer(null)
    setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('recommend.try')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={!whole} onClick={() => void ask()}>
            {t('recommend.tryNow')}
          </Button>
        </>
      }
    >
      {asked.map(name => (
        <Field
          key={name}
          name={name}
          schema={shape[name]}
          value={values[name]}
          onChange={value => setValues({ ...values, [name]: value as string })}
        />
      ))}
      {answer && <Tried answer={answer} />}
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
