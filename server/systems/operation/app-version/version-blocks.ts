import { sql } from 'kysely'
import { appVersion } from '../../../../core/contract/operation/app-version.ts'
import { blocks } from '../../../approval/blocks.ts'
import { Fault } from '../../../http/fault.ts'
import type { Version } from './store.ts'

type Held = Version & { hasLower: boolean; isAsked: boolean }

const byDeployment = ({ os, versionStatus: status }: Held): Fault | null =>
  os === 'console' ? new Fault('stateConflict', 'errors.versionOfDeployment', {}, { status }) : null

/** Why a version does not take a command, beyond its state. */
export const versionBlocks = blocks<Held>({
  read: async (tx, keys) => {
    const rows = await tx.rows(sql<Held>`
      select x.*, exists (select 1 from app_version y where y.app_code = x.app_code and y.os = x.os and y.version_status = 'released'
          and y.version_code < x.version_code) as has_lower,
        exists (select 1 from approval a where a.object_type = 'app_version' and a.object_no = x.version_no and a.approval_status = 'pending') as is_asked
      from app_version x where x.version_no = any(${[...keys]})`)
    return new Map(rows.map(row => [row.versionNo, row]))
  },
  states: ({ versionStatus }) => ({ appVersion: versionStatus }),
  waits: ({ isAsked }) => isAsked,
  commands: [
    { command: appVersion.release, refuses: byDeployment },
    {
      command: appVersion.widen,
      refuses: row =>
        byDeployment(row) ??
        (row.versionStatus === 'released' && row.grayPercent === 100
          ? new Fault('stateConflict', 'errors.releasedToAll', {}, { status: row.versionStatus })
          : null),
    },
    {
      command: appVersion.withdraw,
      refuses: row =>
        byDeployment(row) ??
        (row.versionStatus === 'released' && !row.hasLower
          ? new Fault('stateConflict', 'errors.noLowerVersion', {}, { status: row.versionStatus })
          : null),
    },
  ],
})
