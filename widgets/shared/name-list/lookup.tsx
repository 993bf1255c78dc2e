import { useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient } from '../../../core/client/providers.tsx'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import type { blacklist } from '../../../core/contract/merchant/blacklist.ts'
import { nameList } from '../../../core/contract/risk/name-list.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { Button, Callout, Flex } from '../../../core/ui/basics.ts'
import { SmallTable } from '../small-table.tsx'

type Found = OutputOf<typeof nameList.lookup>
const { shape } = nameList.lookup.input
/** Either screen of lists asks under its own code. */
type Call = typeof nameList.lookup | typeof blacklist.lookup

/** One line for the person who is asked, and the entries behind it. */
const Answer = ({ list, conflict }: Found) => {
  const t = useText()
  return (
    <>
      <Callout.Root size="1" color={list.some(one => one.itemStatus === 'active') ? 'amber' : 'green'}>
        <Callout.Text role="status">
          {list.length === 0 ? t('nameList.onNone') : t('nameList.onSome', { n: list.length })}
          {conflict && ` · ${t('nameList.conflict')}`}
        </Callout.Text>
      </Callout.Root>
      {list.length > 0 && (
        <SmallTable
          schema={nameList.lookup.output.shape.list.element}
          rows={list}
          rowKey="itemNo"
          names={['nameListName', 'listKind', 'reasonCode', 'createdBy', 'createdTime', 'expireTime', 'itemStatus']}
          empty=""
          label={t('nameList.lookup')}
        />
      )}
    </>
  )
}

/** Whether a value is on any list: one line for the person who is asked. */
export const Lookup = ({ call }: { call: Call }) => {
  const t = useText()
  const client = useClient()
  const [dimension, setDimension] = useState<unknown>('phone')
  const [value, setValue] = useState<unknown>()
  const [found, setFound] = useState<Found | null>(null)
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    if (typeof value !== 'string' || typeof dimension !== 'string') return setWrong(t('validation.contentEmpty'))
    setBusy(true)
    setWrong(undefined)
    setFound(null)
    try {
      setFound((await client.call(call, { dimension, listValue: value } as never)) as Found)
    } catch (error) {
      setWrong(error instanceof CallError ? error.message : t('common.noConnection'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="mk-form"
      style={{ maxWidth: 720 }}
      onSubmit={event => {
        event.preventDefault()
        void ask()
      }}
    >
      <Field name="dimension" schema={shape.dimension} value={dimension} onChange={setDimension} />
      <Field
        name="listValue"
        schema={shape.listValue}
        value={value}
        onChange={setValue}
        {...(wrong ? { error: wrong } : {})}
      />
      <Flex>
        <Button type="submit" loading={busy}>
          {t('nameList.lookup')}
        </Button>
      </Flex>
      {found && <Answer {...found} />}
    </form>
  )
}
