import { contract } from '../../../../core/contract/contract.ts'
import { checkVersion } from '../../../http/fault.ts'
import { type Served, serve } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import { lockHeld } from '../../audit/task/index.ts'
import { loanBlocks } from './desk/loan-blocks.ts'
import { lockCode } from './desk/loan-source.ts'
import { askAcceptance } from './payee/payee-approval.ts'

const { audit, loan } = contract

/** At the review: the auditor has looked whose account it is and shows by what; a second person accepts it. */
export const markOrderChecked = (payout: Deps['payout']): Served =>
  serve(audit.markPayoutChecked, async call => {
    const { tx, session, input } = call
    const { order } = await lockHeld(tx, session, input, audit.markPayoutChecked.perm)
    checkVersion(order, input.version)
    return { approvalNo: await askAcceptance(call, payout, { order }, input.evidence) }
  })

/** The same of a code that waits to be sent or was refused. */
export const markCodeChecked = (payout: Deps['payout']): Served =>
  serve(loan.markChecked, async call => {
    const { tx, session, input } = call
    const held = await lockCode(tx, session, input.loanCode)
    checkVersion(held.code, input.version)
    await loanBlocks.check(call, loan.markChecked, input.loanCode)
    return { approvalNo: await askAcceptance(call, payout, held, input.evidence) }
  })
