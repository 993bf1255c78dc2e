import { useState } from 'react'
import { errorsAt } from '../../../core/client/errors.ts'
import { useClient, useMay, useRead } from '../../../core/client/providers.tsx'
import { codes } from '../../../core/contract/codes.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { metaOf } from '../../../core/contract/fields.ts'
import { type PersonDetail, type PersonRow, people, personForm } from '../../../core/contract/user/people.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { messageOf, wrongIn } from '../../../core/engine/form/field-words.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import type { Key } from '../../../core/i18n/index.ts'
import { Button, Callout } from '../../../core/ui/basics.ts'
import { useFirstWrong } from '../../../core/ui/first-wrong.ts'
import { useKept } from '../../../core/ui/kept.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'

type Values = Record<string, unknown>
type Props = {
  title: Key
  /** Who is changed; nobody for a new person. */
  of?: PersonDetail
  start: Values
  close: (changed?: boolean) => void
}

const fields = Object.keys(personForm) as (keyof typeof personForm)[]
const shapeOf = (isNew: boolean, salary: boolean) => {
  const shape = people.add.input.shape
  const names = fields.filter(name => salary || name !== 'baseSalary')
  return (isNew ? ['loginId', ...names] : names).map(name => [name, shape[name as keyof typeof shape]] as const)
}

/** What stands in a form of what is known; what the reader sees only in part is left empty, and stays. */
const startOf = (known: PersonDetail): Values =>
  Object.fromEntries(
    fields.flatMap(name => {
      const value = known[name as keyof PersonDetail]
      const hidden = typeof value === 'string' && value.includes('*')
      return value === null || value === undefined || hidden ? [] : [[name, value]]
    }),
  )

/** The form of a person: a new one, or one that is changed. What somebody else saved meanwhile is said, and nothing typed is lost. */
const PersonForm = ({ title, of, start, close }: Props) => {
  const t = useText()
  const may = useMay()
  const client = useClient()
  const { send, busy } = useCommand()
  const [values, setValues] = useKept<Values>(`person/${of?.userNo ?? ''}`, () => start)
  const [version, setVersion] = useState(of?.version ?? 0)
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [notes, setNotes] = useState<readonly string[]>([])
  const [clash, setClash] = useState<string | null>(null)
  const { form: box, seek } = useFirstWrong<HTMLFormElement>()
  const call = (of ? people.update : people.add) as Endpoint
  const shape = shapeOf(!of, may.reveal('baseSalary'))
  const inputOf = (given: Values) => ({
    ...(of ? { userNo: of.userNo, version } : {}),
    ...Object.fromEntries(shape.flatMap(([name]) => (given[name] == null ? [] : [[name, given[name]]]))),
  })
  const check = (given: Values) => {
    const found = wrongIn(call.input, inputOf(given))
    setWrong(found)
    return Object.keys(found).length === 0
  }
  const put = (name: string, value: unknown) => {
    const next = { ...values, [name]: value === '' ? undefined : value }
    setValues(next)
    if (Object.keys(wrong).length) check(next)
  }
  const said = (answer: unknown) => {
    const { approvalNo, sentTo } = answer as { approvalNo: string | null; sentTo?: string }
    if (sentTo === undefined) return t(approvalNo ? 'people.sentForApproval' : 'people.saved')
    return t(approvalNo ? 'people.addedWaits' : 'people.added', { to: sentTo })
  }
  const save = async () => {
    setNotes([])
    if (!check(values)) return seek()
    const outcome = await send(call, inputOf(values) as never, { ids: of ? [of.userNo] : [], done: said })
    if (outcome.is === 'done') return close(true)
    if (outcome.is === 'unanswered') return setNotes([t('common.noAnswer')])
    if (outcome.error.code === codes.versionConflict) return setClash(outcome.error.message)
    const { fields: refused, rest } = errorsAt(
      outcome.error,
      shape.map(([name]) => name),
    )
    setWrong(refused)
    if (rest.length) setNotes(rest)
    seek()
  }
  const keepEditing = async () => {
    if (!of) return
    setVersion((await client.call(people.detail, { userNo: of.userNo })).version)
    setClash(null)
  }
  return (
    <ModalDialog
      open
      onClose={() => close(clash !== null)}
      title={t(title)}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={clash !== null} onClick={() => void save()}>
            {t('people.saveUser')}
          </Button>
        </>
      }
    >
      <form
        ref={box}
        className="mk-form"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        {clash && (
          <Callout.Root color="amber" size="1" role="alert">
            <Callout.Text>{clash}</Callout.Text>
            <Button type="button" size="1" variant="soft" onClick={() => void keepEditing()}>
              {t('people.keepEditing')}
            </Button>
          </Callout.Root>
        )}
        {shape.map(([name, schema], index) => (
          <Field
            key={name}
            name={name}
            schema={schema}
            value={values[name]}
            optional={!metaOf(schema).required}
            autoFocus={index === 0}
            error={wrong[name] === undefined ? undefined : messageOf(t, wrong[name], schema)}
            onChange={value => put(name, value)}
          />
        ))}
        <Callout.Root color="gray" size="1">
          <Callout.Text>{t('people.moneyRole')}</Callout.Text>
        </Callout.Root>
        {notes.map(note => (
          <Callout.Root key={note} color="amber" size="1" role="alert">
            <Callout.Text>{note}</Callout.Text>
          </Callout.Root>
        ))}
        <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
      </form>
    </ModalDialog>
  )
}

export const NewPerson = ({ close }: Pick<DialogProps<PersonRow>, 'close'>) => (
  <PersonForm title="actions.newUser" start={{ internalUser: true }} close={close} />
)

/** Once the person is read: the list does not hold all of what the form asks. */
const WithPerson = ({
  row,
  close,
  title,
  copy = false,
}: {
  row: PersonRow
  close: Props['close']
  title: Key
  copy?: boolean
}) => {
  const read = useRead(people.detail, { userNo: row.userNo })
  return (
    <Loaded read={read}>
      {known =>
        copy ? (
          <PersonForm title={title} start={placeOf(startOf(known))} close={close} />
        ) : (
          <PersonForm title={title} of={known} start={startOf(known)} close={close} />
        )
      }
    </Loaded>
  )
}

/** What a colleague in the same place has in common. */
const placeOf = ({ deptNo, roleNos, principalMerchantNo, associatedMerchantNos, internalUser }: Values): Values => ({
  deptNo,
  roleNos,
  principalMerchantNo,
  associatedMerchantNos,
  internalUser,
})

export const EditPerson = ({ rows: [row], close }: DialogProps<PersonRow>) => (
  <WithPerson row={row} close={close} title="actions.editUser" />
)

export const CopyPerson = ({ rows: [row], close }: DialogProps<PersonRow>) => (
  <WithPerson row={row} close={close} title="actions.copyUser" copy />
)
