import { useEffect, useRef } from 'react'
import { openLive } from '../core/client/live.ts'
import { refresh } from '../core/client/providers.tsx'
import { common } from '../core/contract/common.ts'
import { exports } from '../core/contract/exports.ts'
import type { LiveEvent } from '../core/contract/live.ts'
import { message } from '../core/contract/message.ts'
import { user } from '../core/contract/user.ts'
import { readLanguage } from './storage.ts'

/** What the page reads again when it hears of a change. */
const answers: Record<Exclude<LiveEvent['event'], 'session.revoked'>, () => void> = {
  ready: () => refresh(user.home, user.self, message.page, message.count, common.approvals),
  'message.new': () => refresh(message.page, message.count),
  'queue.changed': () => refresh(user.home, message.count, common.approvals, exports.page),
  'perms.changed': () => refresh(user.self),
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
