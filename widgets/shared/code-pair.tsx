import { lazy, Suspense } from 'react'
import { useText } from '../../core/element/i18n.ts'
import { Text } from '../../core/ui/basics.ts'
import { CopyIcon } from '../../core/ui/copy-icon.tsx'
import { QrCode } from '../../core/ui/qr-code.tsx'

const Barcode = lazy(async () => ({ default: (await import('../../core/ui/barcode.tsx')).Barcode }))

const side = 148
const height = 64

/** A code that a customer pays with: for a phone, for the reader of a till, and to type. */
export const CodePair = ({ code }: { code: string }) => {
  const t = useText()
  return (
    <div className="mk-stack">
      <QrCode text={code} side={side} label={t('order.qrOf', { code })} />
      <Suspense fallback={<div style={{ height }} />}>
        <Barcode text={code} height={height} label={t('order.barcodeOf', { code })} />
      </Suspense>
      <div>
        <Text size="4" weight="bold" className="mk-key">
          {code}
        </Text>
        <CopyIcon value={code} />
      </div>
    </div>
  )
}
