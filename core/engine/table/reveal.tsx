import { lazy, Suspense, useEffect, useState } from 'react'
import { fieldErrors } from '../../client/errors.ts'
import { useClient, useMay } from '../../client/providers.tsx'
import { common } from '../../contract/common/common.ts'
import type { Meta as FieldMeta, SensitiveKind } from '../../contract/fields.ts'
import { useHost } from '../../element/context.ts'
import { copyValue } from '../../element/copy.ts'
import { useText } from '../../element/i18n.ts'
import type { Row } from './columns.ts'

const RevealReason = lazy(async () => ({ default: (await import('./reveal-reason.tsx')).RevealReason }))

/** The field of a row that names the record a sensitive value belongs to. */
const keyOf: Record<NonNullable<FieldMeta['of']>, string> = {
  order: 'orderNo',
  customer: 'customerNo',
  loanCode: 'loanCode',
  flow: 'flowNo',
  refund: 'refundNo',
  withdrawal: 'withdrawNo',
  phoneBill: 'phoneBillNo',
  verifyCode: 'codeNo',
  contactBlock: 'blockNo',
  user: 'userNo',
  contact: 'contactNo',
  fundAccount: 'fundAccountNo',
}

type Props = {
  kind: SensitiveKind
  name: string
  masked: string
  of?: FieldMeta['of']
  row: Row
  /** Asks for the full value under a code of its own. */
  ask?: ((reason?: string) => Promise<string>) | undefined
}

/** The full value once it was asked for, and the question for a reason where the settings want one. */
const useReveal = ({ kind, name, of, ask }: Props, objectNo: unknown) => {
  const { language } = useText()
  const client = useClient()
  const [shown, setShown] = useState<string | null>(null)
  const { tag } = useHost()
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState<HTMLElement | null>(null)
  useEffect(() => () => setShown(null), [])
  const reveal = async (button: HTMLElement, reason?: string) => {
    setAsking(null)
    setBusy(true)
    try {
      const value =
        (await (ask?.(reason) ??
          client.call(common.reveal, {
            kind,
            objectType: of as NonNullable<typeof of>,
            objectNo: String(objectNo),
            field: name,
            route: tag,
            ...(reason ? { reason } : {}),
          }))) || '-'
      setShown(value)
      if (value !== '-') await copyValue(button, value, language)
    } catch (error) {
      setBusy(false)
      if (fieldErrors(error).reason !== undefined) setAsking(button)
    }
  }
  return { shown, busy, asking, reveal, close: () => setAsking(null) }
}

/** A masked value. A click reveals, shows and copies it; the server logs each reveal. Hiding discards the full value. */
export const Reveal = (props: Props) => {
  const t = useText()
  const may = useMay()
  const { kind, masked, of, row, ask } = props
  const objectNo = of && row[keyOf[of]]
  const { shown, busy, asking, reveal, close } = useReveal(props, objectNo)
  if (!masked.includes('*') || !(ask ?? (may.reveal(kind) && objectNo)) || shown !== null)
    return <span className="mk-sensitive">{shown ?? masked}</span>
  return (
    <span className="mk-sensitive">
      {masked}
      <button
        type="button"
        className="mk-reveal"
        disabled={busy}
        aria-label={`${t('common.showAndCopy')} ${masked}`}
        onClick={event => {
          event.stopPropagation()
          void reveal(event.currentTarget)
        }}
      >
        {t('common.showAndCopy')}
      </button>
      {asking && (
        <Suspense>
          <RevealReason close={close} give={reason => void reveal(asking, reason)} />
        </Suspense>
      )}
    </span>
  )
}
