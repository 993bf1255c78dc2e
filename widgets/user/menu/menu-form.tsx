import { useState } from 'react'
import { errorsAt } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import { type MenuItem, menu, type menuTypes } from '../../../core/contract/user/menu.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { messageOf, wrongIn } from '../../../core/engine/form/field-words.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { Choose } from '../../../core/ui/choose/choose.tsx'
import { Labelled } from '../../../core/ui/labelled.tsx'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

const { shape } = menu.save.input
type Values = Readonly<Record<string, unknown>>
type Given = {
  title: 'menu.new' | 'menu.edit' | 'menu.newBelow'
  start: Values
  builtin: boolean
  close: (changed?: boolean) => void
}
type Kind = (typeof menuTypes.values)[number]

/** What is asked of an entry of a kind. */
const fieldsOf = (kind: Kind): readonly (keyof typeof shape)[] => [
  'menuType',
  'menuName',
  'menuNameEn',
  'menuNameSw',
  ...(kind === 'external' ? (['externalUrl'] as const) : (['perms'] as const)),
  'icon',
  'sort',
  ...(kind === 'page' ? (['dataEntity'] as const) : []),
]

/** The route or code that the entry stands for, among those that there are. */
const Target = ({
  kind,
  value,
  error,
  put,
}: {
  kind: 'page' | 'button' | 'catalog'
  value: unknown
  error: string | undefined
  put: (value: unknown) => void
}) => {
  const t = useText()
  const { data } = useRead(menu.choices, {})
  return (
    <Labelled label={t('fields.perms')} optional={kind === 'catalog'} error={error}>
      {tied => (
        <Choose
          tied={tied}
          label={t('fields.perms')}
          options={data?.[kind] ?? []}
          value={value ? [String(value)] : []}
          single
          onChange={([next]) => put(next)}
          words={{
            search: t('common.search'),
            none: t('common.noMatch'),
            clear: t('common.clear'),
            choose: t('common.choose'),
          }}
        />
      )}
    </Labelled>
  )
}

/** What is typed, and sending it; each fault stands at its field. */
const useEntry = ({ start, close }: Given) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [values, setValues] = useState<Values>(start)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [notes, setNotes] = useState<readonly string[]>([])
  const kind = (values.menuType ?? 'external') as Kind
  const names = fieldsOf(kind)
  const put = (name: string, value: unknown) => setValues(now => ({ ...now, [name]: value }))
  const submit = async () => {
    const asked = Object.fromEntries(names.flatMap(name => (values[name] == null ? [] : [[name, values[name]]])))
    const input = {
      ...asked,
      ...Object.fromEntries(
        ['menuNo', 'version', 'parentNo'].flatMap(name => (start[name] == null ? [] : [[name, start[name]]])),
      ),
    }
    const given = menu.save.input.safeParse(input)
    if (!given.success) {
      const wrong = wrongIn(menu.save.input, input)
      return setErrors(
        Object.fromEntries(
          Object.entries(wrong).map(([name, key]) => [name, messageOf(t, key, shape[name as 'sort'])]),
        ),
      )
    }
    setErrors({})
    setNotes([])
    const outcome = await send(menu.save, given.data, {
      ids: [String(start.menuNo ?? '')],
      done: () => t('menu.saved'),
    })
    if (outcome.is === 'done') return close(true)
    if (outcome.is === 'unanswered') return setNotes([t('common.noAnswer')])
    const { fields, rest } = errorsAt(outcome.error, [...names])
    setErrors(fields)
    setNotes(rest)
  }
  return { values, put, errors, notes, kind, names, submit, busy }
}

const EntryForm = (props: Given) => {
  const t = useText()
  const { title, builtin, start, close } = props
  const { values, put, errors, notes, kind, names, submit, busy } = useEntry(props)
  const isFixed = (name: string) =>
    (name === 'menuType' && start.version !== undefined) || (builtin && name === 'perms')
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t(title)}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void submit()}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <div className="mk-form">
        {names.map(name => {
          if (isFixed(name)) return null
          if (name === 'perms' && kind !== 'external')
            return (
              <Target
                key={name}
                kind={kind}
                value={values.perms}
                error={errors.perms}
                put={value => put('perms', value)}
              />
            )
          return (
            <Field
              key={name}
              name={name}
              schema={shape[name]}
              value={values[name]}
              optional={name === 'icon'}
              {...(errors[name] ? { error: errors[name] } : {})}
              onChange={value => put(name, value)}
            />
          )
        })}
        {kind === 'external' && (
          <Text size="1" color="gray">
            {t('menu.appended')}
          </Text>
        )}
        {notes.map(note => (
          <Callout.Root key={note} color="amber" size="1" role="alert">
            <Callout.Text>{note}</Callout.Text>
          </Callout.Root>
        ))}
      </div>
    </ModalDialog>
  )
}

export const NewEntry = ({ close }: Pick<DialogProps<never>, 'close'>) => (
  <EntryForm title="menu.new" builtin={false} start={{ menuType: 'external', sort: 1 }} close={close} />
)

export const NewBelow = ({ rows: [row], close }: DialogProps<MenuItem>) => (
  <EntryForm
    title="menu.newBelow"
    builtin={false}
    start={{
      menuType: row.menuType === 'page' ? 'button' : 'page',
      parentNo: row.menuNo,
      sort: row.childList.length + 1,
    }}
    close={close}
  />
)

export const EditEntry = ({ rows: [row], close }: DialogProps<MenuItem>) => {
  const { menuNo, version, menuType, menuName, menuNameEn, menuNameSw, perms, externalUrl, icon, sort, dataEntity } =
    row
  return (
    <EntryForm
      title="menu.edit"
      builtin={row.builtin}
      start={{
        menuNo,
        version,
        menuType,
        menuName,
        menuNameEn,
        menuNameSw,
        perms,
        externalUrl,
        icon,
        sort,
        dataEntity,
      }}
      close={close}
    />
  )
}
