import { useEffect, useRef } from 'react'
import { openLive } from '../../core/client/live.ts'
import { refresh } from '../../core/client/providers.tsx'
import { common } from '../../core/contract/common/common.ts'
import { exports } from '../../core/contract/common/exports.ts'
import type { LiveEvent } from '../../core/contract/common/live.ts'
import { announcement } from '../../core/contract/operation/announcement.ts'
import { home } from '../../core/contract/portal/home.ts'
import { message } from '../../core/contract/portal/message.ts'
import { warning } from '../../core/contract/portal/warning.ts'
import { leave } from '../../core/contract/schedule/leave.ts'
import { user } from '../../core/contract/user/user.ts'
import { readLanguage } from './storage.ts'

/** What the page reads again when it hears of a change. */
const answers: Record<Exclude<LiveEvent['event'], 'session.revoked'>, () => void> = {
  ready: () =>
    refresh(home.mine, user.self, message.page, message.count, common.approvals, announcement.mine, warning.alert),
  'message.new': () => refresh(message.page, message.count, announcement.mine, home.mine, leave.page),
  'queue.changed': () =>
    refresh(home.mine, message.count, common.approvals, exports.page, leave.page, warning.alert, warning.page),
  'perms.changed': () => refresh(user.self),
  'dict.changed': () => refresh(user.self, common.options),
  'language.changed': () => refresh(common.languages),
}

/** One stream for the whole console, as long as somebody is signed in. */
export const useLive = (token: string, ended: () => void) => {
  const end = useRef(ended)
  end.current = ended
  useEffect(() => {
    let begun = false
    return openLive({
      token,
      language: readLanguage(),
      hear: ({ event }) => {
        if (event === 'session.revoked') return end.current()
        if (event !== 'ready' || begun) answers[event]()
        begun = true
      },
    })
  }, [token])
}
