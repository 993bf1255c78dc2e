import { refund } from '../../core/contract/charge/refund.ts'
import type { RefundRow } from '../../core/contract/charge/refund-rows.ts'
import type { Act, CallAction } from '../../core/engine/screen.ts'

type Verified = { verifyStatus: string; holderName: string | null; matchScore: string | null }

/** Asks the channel whose the payee's account is, and says its answer. */
export const verifyPayee = <R extends RefundRow>(act: Act<R>): CallAction<R> =>
  act(refund.verify, {
    label: 'actions.verifyPayee',
    confirm: 'charge.confirmVerify',
    done: answer => {
      const { verifyStatus, holderName, matchScore } = answer as Verified
      return verifyStatus === 'passed'
        ? { key: 'charge.verifiedAs', params: { name: holderName ?? '–', score: matchScore ?? '–' } }
        : 'charge.verifyFailed'
    },
  })
