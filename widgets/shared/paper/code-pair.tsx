import { lazy, Suspense } from 'react'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { CopyIcon } from '../../../core/ui/copy-icon.tsx'
import { QrCode } from '../../../core/ui/qr-code.tsx'

const Barcode = lazy(async () => ({ default: (await import('../../../core/ui/barcode.tsx')).Barcode }))

const side = 148
const height = 64

/** A code that a customer pays with: for a phone, for the reader of a till, and to type. */
export const CodePair = ({ code, labels }: { code: string; labels: { qr: string; barcode: string } }) => (
  <Flex direction="column" gap="3" align="start">
    <QrCode text={code} side={side} label={labels.qr} />
    <Suspense fallback={<div style={{ height }} />}>
      <Barcode text={code} height={height} label={labels.barcode} />
    </Suspense>
    <span>
      <Text size="4" weight="bold" className="mk-key">
        {code}
      </Text>{' '}
      <CopyIcon value={code} />
    </span>
  </Flex>
)
