import { useText } from '../../../element/i18n.ts'
import { Button } from '../../../ui/basics.ts'
import { divided } from '../../form/refusal.ts'
import type { Action } from '../../screen.ts'
import type { Row } from '../../table/columns.ts'
import type { Press } from './press.ts'
import type { Chosen } from './use-chosen.ts'

type Given = {
  chosen: Chosen
  press: Press
  /** Why nothing can be done now. */
  off?: string | undefined
}

const BulkButton = ({ action, chosen, press, off: stale }: Given & { action: Action<Row> }) => {
  const t = useText()
  const { rows } = chosen
  const { fitting, left } = divided(t, action, rows, chosen.rowKey)
  const max = chosen.limitOf(action)
  const reason =
    stale ?? (fitting.length > max ? t('list.atMost', { max }) : fitting.length === 0 ? left[0]?.reason : undefined)
  const off = stale !== undefined || fitting.length === 0 || fitting.length > max
  return (
    <Button
      size="1"
      variant="soft"
      color={action.tone === 'danger' ? 'red' : undefined}
      disabled={off}
      title={reason ?? undefined}
      onClick={() => press(action, fitting, left)}
    >
      {fitting.length === rows.length
        ? t(action.label)
        : t('common.actionOn', { action: t(action.label), n: fitting.length })}
    </Button>
  )
}

/** How many rows are chosen, what can be done with them, and giving them up. */
export const ChosenBar = ({ bulk, chosen, press, off }: Given & { bulk: readonly Action<Row>[] }) => {
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
        <BulkButton key={action.label} action={action} chosen={chosen} press={press} off={off} />
      ))}
      <Button size="1" variant="ghost" color="gray" onClick={chosen.clear}>
        {t('common.clear')}
      </Button>
    </>
  )
}
