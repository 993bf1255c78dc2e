import { useState } from 'react'
import type { z } from 'zod'
import { errorsAt } from '../../../core/client/errors.ts'
import type { Results } from '../../../core/contract/endpoint.ts'
import { type PersonRow, people } from '../../../core/contract/user/people.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { messageOf } from '../../../core/engine/form/field-words.ts'
import { RefusedRows } from '../../../core/engine/form/refused-rows.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import { LeftOutRows } from '../../../core/engine/list/chosen/left-out.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { labelOf } from '../../../core/engine/table/columns.ts'
import { Button, Callout, Checkbox, Flex, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

const { userNos: _, ...shape } = people.batchUpdate.input.shape
const names = Object.keys(shape) as (keyof typeof shape)[]

/** The same change to several people: only what is ticked is changed, and each person is answered for. */
export const BatchDialog = ({ rows, left = [], close }: DialogProps<PersonRow>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [values, setValues] = useState<Record<string, unknown>>({})
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [notes, setNotes] = useState<readonly string[]>([])
  const [refused, setRefused] = useState<Results | null>(null)
  const ready = ticked.length > 0 && ticked.every(name => values[name] !== undefined)
  const save = async () => {
    setNotes([])
    const changes = Object.fromEntries(ticked.map(name => [name, values[name]]))
    const userNos = rows.map(row => row.userNo)
    const outcome = await send(people.batchUpdate, { userNos, ...changes }, { ids: userNos })
    if (outcome.is === 'unanswered') return setNotes([t('common.noAnswer')])
    if (outcome.is === 'done') return outcome.answer.fail ? setRefused(outcome.answer) : close(true)
    const { fields, rest } = errorsAt(outcome.error, names)
    setWrong(fields)
    setNotes(rest)
  }
  if (refused) return <RefusedRows results={refused} close={() => close(true)} />
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('actions.batchUpdateUsers')}
      description={t('people.confirmBatch', { n: rows.length })}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={!ready} onClick={() => void save()}>
            {t('common.actionOn', { action: t('actions.batchUpdateUsers'), n: rows.length })}
          </Button>
        </>
      }
    >
      <LeftOutRows left={left} />
      <div className="mk-form">
        <Flex wrap="wrap" gap="3" role="group" aria-label={t('people.tickFields')}>
          {names.map(name => (
            <Text as="label" size="2" key={name}>
              <Flex gap="1" align="center">
                <Checkbox
                  checked={ticked.includes(name)}
                  onCheckedChange={on => setTicked(on ? [...ticked, name] : ticked.filter(one => one !== name))}
                />
                {labelOf(t, name)}
              </Flex>
            </Text>
          ))}
        </Flex>
        {names
          .filter(name => ticked.includes(name))
          .map(name => (
            <Field
              key={name}
              name={name}
              schema={shape[name] as z.ZodType}
              value={values[name]}
              error={wrong[name] === undefined ? undefined : messageOf(t, wrong[name], shape[name] as z.ZodType)}
              onChange={value => setValues({ ...values, [name]: value })}
            />
          ))}
        {notes.map(note => (
          <Callout.Root key={note} color="amber" size="1" role="alert">
            <Callout.Text>{note}</Callout.Text>
          </Callout.Root>
        ))}
      </div>
    </ModalDialog>
  )
}
