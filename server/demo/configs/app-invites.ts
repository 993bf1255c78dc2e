import { sql } from 'kysely'
import { common } from '../../../core/contract/common/common.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { appInvite } from '../../../core/contract/operation/app-invite.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { appInviteModule } from '../../systems/operation/app-content/app-invite.ts'
import { handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { merchants } from '../world.ts'

type Values = Record<string, unknown>

const words = {
  inviteTitle: { zh: '邀请好友，一起得奖励', en: 'Invite a friend', sw: 'Alika rafiki, upate zawadi' },
  inviteText: {
    zh: '好友按时结清首笔借款，你得UGX 2,000',
    en: 'You get UGX 2,000 when your friend repays the first loan on time',
    sw: 'Utapata UGX 2,000 rafiki yako akilipa mkopo wa kwanza kwa wakati',
  },
}

/** The invite pages of two apps: one is shown, the other waits for a second person. */
export const writeAppInvites = async (tx: Tx): Promise<void> => {
  const activity = await tx.maybe(sql<{ activityNo: string }>`
    select activity_no from activity where activity_type = 'invite' and enabled = 'enabled' order by activity_no limit 1`)
  const module = appInviteModule()
  const hand = handFor([module, approvalModule(module.approvals ?? [])])
  const [boss, second] = await Promise.all(['admin', 'admin2'].map(login => rightsOfPerson(tx, userNoOf(login), 'en')))
  if (!activity || !boss || !second) return
  const call = async (who: typeof boss, endpoint: unknown, input: Values) => {
    const answer = (await hand.call(tx, who, endpoint as Endpoint, input as never)) as Values
    await tx.flush()
    return answer
  }
  for (const [n, { appName: appCode }] of merchants.slice(0, 2).entries()) {
    const { key: inviteNo } = await call(boss, appInvite.save, {
      appCode,
      inviteActivity: activity.activityNo,
      ...words,
    })
    const { approvalNo } = await call(boss, appInvite.state, { inviteNo, enabled: true, version: 0 })
    if (n === 0) await call(second, common.approve, { approvalNo, version: 0 })
  }
}
