import { useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient } from '../../../core/client/providers.tsx'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { teleBlock } from '../../../core/contract/telemarketing/blacklist.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { Button, Flex } from '../../../core/ui/basics.ts'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Row = OutputOf<typeof teleBlock.check>['list'][number]

/** Whether a number may be called, in words and colour. */
const Verdict = ({ row }: { row: Row }) => {
  const t = useText()
  if (row.wrong) return <StatusBadge tone="attention" label={t('contactBlock.wrongNumber')} />
  if (row.book === null) return <StatusBadge tone="good" label={t('contactBlock.mayCall')} />
  return <StatusBadge tone="bad" label={t('contactBlock.mayNotCall', { list: t(`dict.BLOCK_BOOK.${row.book}`) })} />
}

/** Which of some numbers may be called for marketing. */
export const CheckNumbers = () => {
  const t = useText()
  const client = useClient()
  const [phones, setPhones] = useState<unknown>()
  const [found, setFound] = useState<readonly Row[] | null>(null)
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    if (typeof phones !== 'string') return setWrong(t('validation.contentEmpty'))
    setBusy(true)
    setWrong(undefined)
    setFound(null)
    try {
      setFound((await client.call(teleBlock.check, { phones })).list)
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
      <Field
        name="phones"
        schema={teleBlock.check.input.shape.phones}
        value={phones}
        onChange={setPhones}
        {...(wrong ? { error: wrong } : {})}
      />
      <Flex>
        <Button type="submit" loading={busy}>
          {t('contactBlock.check')}
        </Button>
      </Flex>
      {found && (
        <SmallTable
          schema={teleBlock.check.output.shape.list.element}
          rows={found}
          rowKey="value"
          names={['value', 'wrong', 'createdTime']}
          headers={{ wrong: t('contactBlock.verdict') }}
          cells={{ wrong: row => <Verdict row={row} /> }}
          empty=""
          label={t('contactBlock.check')}
        />
      )}
    </form>
  )
}
