import { sql } from 'kysely'
import type { WarningRule } from '../../../warnings/rule.ts'

type Attacked = { userNo: string; name: string; locks: number; since: string }

/** Somebody tries the password of a person again and again. */
const loginAttack: WarningRule = {
  type: 'login_attack',
  level: 'critical',
  endedByPerson: true,
  find: async (tx, { locksOfName, lockedNames }) => {
    const locked = await tx.rows(sql<Attacked>`
      select u.user_no, u.real_name as name, t.locks, t.window_start as since from login_throttle t join app_user u on u.login_id = t.login_id
      where t.locked_until > ${tx.now} order by u.user_no`)
    const single = locked
      .filter(one => one.locks >= locksOfName)
      .map(({ userNo, name, locks, since }) => ({
        key: userNo,
        merchantNo: null,
        objectType: 'user',
        affected: [{ objectNo: userNo, route: null }],
        facts: { name, n: locks, least: locksOfName },
        since,
      }))
    if (locked.length < lockedNames) return single
    const many = {
      key: 'many',
      merchantNo: null,
      objectType: 'user',
      affected: locked.map(({ userNo }) => ({ objectNo: userNo, route: null })),
      facts: { name: 'warning.manyNames', n: locked.length, least: lockedNames },
      since: locked
        .map(one => one.since)
        .sort()
        .at(-1) as string,
    }
    return [...single, many]
  },
}

type Reader = { userNo: string; name: string; n: number; since: string }

/** Somebody has seen as many sensitive values within an hour as a person may. */
const massReveal: WarningRule = {
  type: 'mass_reveal',
  level: 'critical',
  endedByPerson: true,
  find: async (tx, { revealsAnHour: least }) => {
    const rows = await tx.rows(sql<Reader>`
      select l.user_no, u.real_name as name, count(*)::int as n, max(l.at) as since from access_log l join app_user u using (user_no)
      where l.access_kind in ('reveal', 'view') and l.at > ${new Date(tx.now.getTime() - 3_600_000)}
      group by l.user_no, u.real_name having count(*) >= ${least} order by l.user_no`)
    return rows.map(({ userNo, name, n, since }) => ({
      key: userNo,
      merchantNo: null,
      objectType: 'user',
      affected: [{ objectNo: userNo, route: null }],
      facts: { name, n, least },
      since,
    }))
  },
}

export const accountWarnings = [loginAttack, massReveal]
