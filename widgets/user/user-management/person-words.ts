import type { PersonRow } from '../../../core/contract/user/people.ts'
import type { Words } from '../../../core/engine/screen.ts'
import { eatDateTime } from '../../../core/rules/time.ts'

type Rows = readonly PersonRow[]
const sum = (rows: Rows, of: (row: PersonRow) => number) => rows.reduce((total, row) => total + of(row), 0)

/** What freezing ends, of one person or of several. */
export const asksFreeze = (rows: Rows): Words => ({
  key: rows.length === 1 ? 'people.confirmFreeze' : 'people.confirmFreezeMany',
  params: {
    n: rows.length,
    realName: rows[0]?.realName ?? '',
    sessionCount: sum(rows, row => row.sessionCount),
    auditCount: sum(rows, row => row.auditCount),
  },
})

const unfreezing = {
  manual: 'people.confirmUnfreeze',
  left: 'people.confirmUnfreezeLeft',
  expired: 'people.confirmUnfreezeExpired',
  security: 'people.confirmUnfreezeSecurity',
} as const

/** Until when failures keep somebody out. */
export const asksUnlock = ([row]: Rows): Words => ({
  key: 'people.confirmUnlock',
  params: { realName: row?.realName ?? '', lockedUntil: row?.lockedUntil ? eatDateTime(row.lockedUntil) : '-' },
})

/** Why and since when somebody is frozen. */
export const asksUnfreeze = (rows: Rows): Words => {
  const [row] = rows
  if (rows.length !== 1 || !row) return { key: 'people.confirmUnfreezeMany', params: { n: rows.length } }
  return {
    key: unfreezing[row.freezeReason ?? 'manual'],
    params: { realName: row.realName, freezeTime: row.freezeTime ? eatDateTime(row.freezeTime) : '-' },
  }
}

/** Where the link goes: by e-mail where there is one. */
export const asksReset = ([row]: Rows): Words => ({
  key: 'people.confirmResetPwd',
  params: {
    realName: row?.realName ?? '',
    to: row?.email ?? row?.phone ?? '-',
    sessionCount: row?.sessionCount ?? 0,
  },
})
