import type { OrderBasic } from '../../core/contract/order/order.ts'
import { useText } from '../../core/element/i18n.ts'
import { StatusBadge, type Tone } from '../../core/ui/status-badge.tsx'

type Result = OrderBasic['payout']['verifyResult']

const tones: Record<Result, Tone> = {
  passed: 'good',
  accepted: 'good',
  failed: 'bad',
  unavailable: 'attention',
  not_verified: 'wait',
}

/** What the name inquiry of an account said. */
export const Verification = ({ result }: { result: Result }) => {
  const t = useText()
  return <StatusBadge tone={tones[result]} label={t(`dict.VERIFY_RESULT.${result}`)} />
}
