import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { SessionRow } from '../../../../core/contract/user/session.ts'
import { serve } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import { liveSessions } from '../../../session/session.ts'
import { accountWarnings } from './account-warnings.ts'

type Stored = Omit<SessionRow, 'current'> & { sessionNo: string }

/** The own sessions, this one first. */
const mine = serve(contract.session.mine, async ({ tx, session }) => {
  const rows = await tx.rows(sql<Stored>`
    select session_no, created_time, last_seen_time, ip, browser from session
    where user_no = ${session.userNo} and ended_time is null order by session_no <> ${session.sessionNo}, last_seen_time desc`)
  const live = await liveSessions(
    tx,
    rows.map(row => row.sessionNo),
  )
  return {
    list: rows
      .filter(row => live.has(row.sessionNo))
      .map(({ sessionNo, ...row }) => ({ ...row, current: sessionNo === session.sessionNo })),
  }
})

const revokeOthers = serve(contract.session.revokeOthers, async ({ tx, session, audit }) => {
  const ended = await tx.exec(sql`
    update session set ended_time = ${tx.now}, ended_reason = 'revoked'
    where user_no = ${session.userNo} and session_no <> ${session.sessionNo} and ended_time is null`)
  audit({ objectType: 'user', objectNo: session.userNo, after: { sessionsEnded: ended } })
  return { ended }
})

/** Where somebody is signed in, and the end of all of it but the place where they are. */
export const sessionModule = (): Module => ({
  served: [mine, revokeOthers],
  warnings: accountWarnings,
})
