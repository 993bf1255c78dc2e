import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { blocks } from '../../../approval/blocks.ts'
import { Fault } from '../../../http/fault.ts'

const { menu } = contract

type Facts = { menuNo: string; enabled: string; below: number; roles: number }

/** Why an entry is not deleted: it is on, or something still hangs on it. */
export const menuBlocks = blocks<Facts>({
  read: async (tx, keys) =>
    new Map(
      (
        await tx.rows(sql<Facts>`
          select m.menu_no, m.enabled, coalesce(c.n, 0)::int as below, coalesce(r.n, 0)::int as roles
          from menu m
          left join (select parent_menu_no, count(*) as n from menu where deleted_time is null group by 1) c on c.parent_menu_no = m.menu_no
          left join (select menu_no, count(*) as n from role_menu group by 1) r on r.menu_no = m.menu_no
          where m.menu_no = any(${[...keys]})`)
      ).map(row => [row.menuNo, row]),
    ),
  states: () => ({}),
  commands: [
    {
      command: menu.remove,
      refuses: ({ enabled, below, roles }) => {
        if (enabled === 'enabled') return new Fault('stateConflict', 'errors.menuOn')
        return below + roles > 0 ? new Fault('stateConflict', 'errors.menuHeld', { below, roles }) : null
      },
    },
  ],
})
