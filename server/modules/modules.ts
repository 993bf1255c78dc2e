import { approvalModule } from '../approval.ts'
import { exportModule } from '../exports/module.ts'
import { importModule } from '../imports/module.ts'
import { storedUploads } from '../imports/uploads.ts'
import type { Deps, Module } from '../module.ts'
import { totalsModule } from '../totals.ts'
import { uploadModule } from '../uploads/module.ts'
import { allotModule } from './allot.ts'
import { announcementModule } from './announcement.ts'
import { auditChainModule } from './audit-chain.ts'
import { auditTaskModule } from './audit-task.ts'
import { authModule } from './auth.ts'
import { bankBatchModule } from './bank-batch.ts'
import { callbackModule } from './callback.ts'
import { commonModule } from './common.ts'
import { dayRollModule } from './day-roll.ts'
import { embedModule } from './embed.ts'
import { flowModule } from './flow.ts'
import { homeModule } from './home.ts'
import { intakeModule } from './intake.ts'
import { leaveModule } from './leave.ts'
import { loanModule } from './loan.ts'
import { lookupModule } from './lookup.ts'
import { machineReviewModule } from './machine-review.ts'
import { messageModule } from './message.ts'
import { mfaModule } from './mfa.ts'
import { myAuditModule } from './my-audit.ts'
import { orderDetailModule } from './order-detail.ts'
import { orderManageModule } from './order-manage.ts'
import { pageStayModule } from './page-stay.ts'
import { payInModule } from './pay-in.ts'
import { askTimes } from './payout.ts'
import { repayModule } from './repay.ts'
import { retentionModule } from './retention.ts'
import { selfModule } from './self.ts'
import { sessionModule } from './session.ts'
import { viewModule } from './view.ts'

/** The network of a demo answers at once: nobody wants to wait a minute for the first question. */
const demoAskTimes = { after: [5, 15, 60], thenEvery: 300 }

/** Everything the server does. */
export const modules = (deps: Deps): Module[] => {
  const own: Module[] = [
    authModule(),
    mfaModule(deps),
    selfModule(deps),
    sessionModule(),
    homeModule(deps),
    embedModule(),
    viewModule(),
    commonModule(),
    lookupModule(),
    messageModule(),
    announcementModule(),
    leaveModule(),
    retentionModule(),
    pageStayModule(),
    auditChainModule(deps),
    intakeModule(),
    machineReviewModule(deps),
    allotModule(deps),
    myAuditModule(deps),
    auditTaskModule(deps),
    orderDetailModule(deps),
    orderManageModule(deps),
    loanModule(deps, deps.demo ? demoAskTimes : askTimes),
    bankBatchModule(deps),
    callbackModule(deps),
    repayModule(deps),
    payInModule(deps),
    flowModule(deps),
    dayRollModule(deps),
    uploadModule(deps.uploads),
  ]
  const lists = own.flatMap(module => module.lists ?? [])
  return [
    ...own,
    approvalModule(own.flatMap(module => module.approvals ?? [])),
    totalsModule(lists),
    exportModule(deps.exportDir, lists),
    importModule(
      deps.importDir,
      own.flatMap(module => module.imports ?? []),
      storedUploads(deps.uploads.dir),
    ),
  ]
}
