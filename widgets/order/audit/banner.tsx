import { CallError } from '../../../core/client/errors.ts'
import { useMay } from '../../../core/client/providers.tsx'
import type { OrderSummary } from '../../../core/contract/order/order-brief.ts'
import { type Translate, useText } from '../../../core/element/i18n.ts'
import { Button, Callout } from '../../../core/ui/basics.ts'
import type { Hold } from './decision/hold.ts'

type Props = { hold: Hold; summary: OrderSummary; open: (force?: boolean) => Promise<void> }

const lostWords = (t: Translate, by: string | null) =>
  by ? t('audit.takenOverBy', { name: by }) : t('audit.openedElsewhere')

const statusText = (t: Translate, { orderStatus }: OrderSummary, reported: string | null) =>
  orderStatus === 'pending_review' && reported
    ? (t.maybe(`dict.ORDER_STATUS.${reported}`) ?? t.maybe(`dict.AUDIT_TASK_STATUS.${reported}`) ?? reported)
    : t(`dict.ORDER_STATUS.${orderStatus}`)

/** Why the panel cannot be worked in, and what can be done about it. */
export const Banner = ({ hold, summary, open }: Props) => {
  const t = useText()
  const may = useMay()
  if (hold.is !== 'lost' && hold.is !== 'gone' && hold.is !== 'refused') return null
  const by = hold.is === 'lost' ? hold.by : summary.auditorName
  const taken = hold.is === 'lost' || (hold.is === 'gone' && summary.orderStatus === 'pending_review' && !summary.mine)
  const words = taken
    ? `${lostWords(t, by)} · ${t('audit.readOnlyNow')}`
    : hold.is === 'gone'
      ? t('audit.gone', { status: statusText(t, summary, hold.status) })
      : hold.error instanceof CallError
        ? t('common.labelled', { label: t('audit.notOpened'), value: hold.error.message })
        : t('common.noConnection')
  const foreign = hold.is === 'lost' && hold.by !== null
  const back = hold.is === 'lost' && (!foreign || may.have('audit:order:handleAny') || summary.mine)
  return (
    <Callout.Root color="amber" size="1" role="alert" className="mk-banner">
      <Callout.Text>{words}</Callout.Text>
      {back && (
        <div>
          <Button size="1" onClick={() => void open(foreign && may.have('audit:order:handleAny'))}>
            {t(foreign && !summary.mine ? 'audit.takeOver' : 'audit.takeBackLease')}
          </Button>
        </div>
      )}
      {hold.is === 'refused' && !(hold.error instanceof CallError) && (
        <div>
          <Button size="1" onClick={() => void open()}>
            {t('boot.retry')}
          </Button>
        </div>
      )}
    </Callout.Root>
  )
}
