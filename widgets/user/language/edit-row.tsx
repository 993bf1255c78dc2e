import { useState } from 'react'
import { errorsAt } from '../../../core/client/errors.ts'
import {
  languageConfig,
  type ManagedLanguage,
  maxLanguageCode,
  maxLanguageName,
} from '../../../core/contract/user/language.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import { Button, Flex, Text, TextField } from '../../../core/ui/basics.ts'

const { save } = languageConfig
const { shape } = save.input
const names = ['sort', 'flag', 'languageName', 'languageCode'] as const
type Name = (typeof names)[number]

type Props = {
  /** The language that is changed; without one it is a new one. */
  row?: ManagedLanguage
  /** Columns behind those that are asked for. */
  rest: number
  close: (saved: boolean) => void
}

const useEdit = ({ row, close }: Props) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [errors, setErrors] = useState<Readonly<Partial<Record<string, string>>>>({})
  const [sort, setSort] = useState(row ? String(row.sort) : '')
  const [languageName, setName] = useState(row?.languageName ?? '')
  const [languageCode, setCode] = useState(row?.languageCode ?? '')
  const [flag, setFlag] = useState<string>()
  const submit = async () => {
    const input = {
      languageCode,
      languageName,
      sort: sort.trim() === '' ? undefined : Number(sort),
      ...(row ? { version: row.version } : {}),
      ...(flag ? { flag } : {}),
    }
    const given = save.input.safeParse(input)
    if (!given.success) {
      const said = given.error.issues.map(({ path: [name], message }) => {
        const isBlank = input[name as 'sort'] === undefined || String(input[name as 'sort']) === ''
        return [String(name), isBlank ? t('validation.contentEmpty') : (t.maybe(message) ?? t('validation.wrongValue'))]
      })
      return setErrors(Object.fromEntries(said.reverse()))
    }
    setErrors({})
    const outcome = await send(save, given.data, { ids: [languageCode], done: () => t('language.saved') })
    if (outcome.is === 'done') return close(true)
    if (outcome.is === 'unanswered') return setErrors({ languageName: t('common.noAnswer') })
    const { fields, rest: others } = errorsAt(outcome.error, [...names])
    setErrors({ ...fields, ...(others.length ? { languageName: others.join(' ') } : {}) })
  }
  return { errors, busy, submit, sort, setSort, languageName, setName, languageCode, setCode, flag, setFlag }
}

type TextProps = {
  name: Name
  value: string
  error: string | undefined
  put: (value: string) => void
  max: number
  fixed?: boolean
}
const TextCell = ({ name, value, error, put, max, fixed = false }: TextProps) => {
  const t = useText()
  return (
    <td>
      <TextField.Root
        size="1"
        value={value}
        maxLength={max}
        disabled={fixed}
        aria-label={t(`fields.${name}` as 'fields.sort')}
        aria-invalid={Boolean(error)}
        onChange={event => put(event.target.value)}
      />
      {error && (
        <Text as="p" size="1" color="red" role="alert">
          {error}
        </Text>
      )}
    </td>
  )
}

/** A language in its row, as it is being changed. */
export const EditRow = (props: Props) => {
  const { row, rest, close } = props
  const t = useText()
  const { errors, busy, submit, sort, setSort, languageName, setName, languageCode, setCode, flag, setFlag } =
    useEdit(props)
  return (
    <tr>
      <TextCell name="sort" value={sort} error={errors.sort} put={setSort} max={5} />
      <td>
        <Field
          name="flag"
          schema={shape.flag}
          value={flag}
          optional
          {...(errors.flag ? { error: errors.flag } : {})}
          onChange={value => setFlag(value as string | undefined)}
        />
      </td>
      <TextCell
        name="languageName"
        value={languageName}
        error={errors.languageName}
        put={setName}
        max={maxLanguageName}
      />
      <TextCell
        name="languageCode"
        value={languageCode}
        error={errors.languageCode}
        put={setCode}
        max={maxLanguageCode}
        fixed={row !== undefined}
      />
      <td colSpan={rest}>
        <Flex gap="2">
          <Button size="1" loading={busy} onClick={() => void submit()}>
            {t('language.save')}
          </Button>
          <Button size="1" variant="soft" color="gray" onClick={() => close(false)}>
            {t('common.cancel')}
          </Button>
        </Flex>
      </td>
    </tr>
  )
}
