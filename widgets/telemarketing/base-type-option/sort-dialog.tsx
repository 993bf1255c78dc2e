import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { Choice } from '../../../core/contract/common/common.ts'
import { common } from '../../../core/contract/common/common.ts'
import { field } from '../../../core/contract/fields.ts'
import { type BaseType, baseOption, feedbackTypes } from '../../../core/contract/telemarketing/base-option.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import { Button, Callout, Flex, IconButton } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loading } from '../../../core/ui/states.tsx'

type Parent = (typeof feedbackTypes.values)[number]
type Props = { baseType: BaseType; close: (changed?: boolean) => void }

const moved = (codes: readonly string[], from: number, to: number): string[] => {
  const rest = codes.filter((_, at) => at !== from)
  return [...rest.slice(0, to), codes[from] as string, ...rest.slice(to)]
}

/** The options as a list whose lines are dragged, or moved by their buttons. */
const Lines = ({
  options,
  codes,
  change,
}: {
  options: readonly Choice[]
  codes: readonly string[]
  change: (codes: string[]) => void
}) => {
  const t = useText()
  const [dragged, setDragged] = useState<number | null>(null)
  const nameOf = (code: string) => options.find(one => one.value === code)?.label ?? code
  return (
    <ol className="mk-sorted">
      {codes.map((code, at) => (
        <li
          key={code}
          draggable
          onDragStart={() => setDragged(at)}
          onDragOver={event => event.preventDefault()}
          onDrop={() => dragged !== null && change(moved(codes, dragged, at))}
        >
          <Flex gap="2" align="center" justify="between">
            <span>{nameOf(code)}</span>
            <Flex gap="1">
              {([-1, 1] as const).map(step => (
                <IconButton
                  key={step}
                  type="button"
                  size="1"
                  variant="ghost"
                  color="gray"
                  aria-label={t(step < 0 ? 'baseOption.up' : 'baseOption.down', { name: nameOf(code) })}
                  disabled={at + step < 0 || at + step >= codes.length}
                  onClick={() => change(moved(codes, at, at + step))}
                >
                  {step < 0 ? '↑' : '↓'}
                </IconButton>
              ))}
            </Flex>
          </Flex>
        </li>
      ))}
    </ol>
  )
}

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
          schema={field.choice(feedbackTypes)}
          value={parent}
          onChange={next => {
            setCodes(null)
            setParent(next as Parent)
          }}
        />
      )}
      {data ? <Lines options={options} codes={order} change={setCodes} /> : <Loading rows={4} />}
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
