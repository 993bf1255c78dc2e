import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import { field } from '../../../core/contract/fields.ts'
import { type BaseType, baseOption, feedbackTypes } from '../../../core/contract/telemarketing/base-option.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import { Button, Callout } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loading } from '../../../core/ui/states.tsx'
import { SortedLines } from '../../shared/sorted-lines.tsx'

type Parent = (typeof feedbackTypes.values)[number]
type Props = { baseType: BaseType; close: (changed?: boolean) => void }

/** Puts the options of a base type into another order; subtypes within their feedback type. */
export const SortDialog = ({ baseType, close }: Props) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { data } = useRead(common.options, { KEY: baseType })
  const [parent, setParent] = useState<Parent>('repayment')
  const [codes, setCodes] = useState<string[] | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const isNested = baseType === 'CS_SUBTYPE'
  const options = data?.list.filter(one => !isNested || one.parent === parent) ?? []
  const order = codes ?? options.map(one => one.value)
  const save = async () => {
    const input = { baseType, optionCodes: order, ...(isNested ? { parentCode: parent } : {}) }
    const outcome = await send(baseOption.sort, input, { ids: [baseType], done: () => t('config.saved') })
    if (outcome.is === 'done') return close(true)
    setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('baseOption.sort')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={codes === null} onClick={() => void save()}>
            {t('config.save')}
          </Button>
        </>
      }
    >
      {isNested && (
        <Field
          name="parentCode"
          schema={field.dict(feedbackTypes)}
          value={parent}
          onChange={next => {
            setCodes(null)
            setParent(next as Parent)
          }}
        />
      )}
      {data ? (
        <SortedLines
          lines={options}
          order={order}
          words={{ up: 'baseOption.up', down: 'baseOption.down' }}
          change={setCodes}
        />
      ) : (
        <Loading rows={4} />
      )}
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
