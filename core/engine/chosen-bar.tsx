import { useText } from '../element/i18n.ts'
import { Button } from '../ui/basics.ts'
import { type Press, refusal } from './actions.tsx'
import type { Row } from './columns.ts'
import type { Action } from './screen.ts'
import type { Chosen } from './use-chosen.ts'

const BulkButton = ({ action, chosen, press }: { action: Action<Row>; chosen: Chosen; press: Press }) => {
  const t = useText()
  const { rows } = chosen
  const fitting = rows.filter(row => refusal(t, action, row) === null)
  const max = chosen.limitOf(action)
  const reason =
    fitting.length > max
      ? t('list.atMost', { max })
      : fitting.length === 0
        ? refusal(t, action, rows[0] as Row)
        : undefined
  const off = fitting.length === 0 || fitting.length > max
  return (
    <Button
      size="1"
      variant="soft"
      color={action.tone === 'danger' ? 'red' : undefined}
      disabled={off}
      title={reason ?? undefined}
      onClick={() => press(action, fitting)}
    >
      {fitting.length === rows.length
        ? t(action.label)
        : t('common.actionOn', { action: t(action.label), n: fitting.length })}
    </Button>
  )
}

/** How many rows are chosen, what can be done with them, and giving them up. */
export const ChosenBar = ({ bulk, chosen, press }: { bulk: readonly Action<Row>[]; chosen: Chosen; press: Press }) => {
  const t = useText()
  return (
    <>
      <span className="mk-chosen" aria-live="polite">
        {chosen.words}
      </span>
      {chosen.more && (
        <Button size="1" variant="ghost" loading={chosen.more.loading} onClick={chosen.more.choose}>
          {chosen.more.label}
        </Button>
      )}
      {bulk.map(action => (
        <BulkButton key={action.label} action={action} chosen={chosen} press={press} />
      ))}
      <Button size="1" variant="ghost" color="gray" onClick={chosen.clear}>
        {t('common.clear')}
      </Button>
    </>
  )
}
