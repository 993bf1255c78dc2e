import type { Personnel } from '../../core/contract/common/personnel.ts'
import { serveListed } from '../lists/listed.ts'
import type { Module } from '../module.ts'
import { personChanges } from './person-change.ts'
import type { PersonHooks } from './person-hooks.ts'
import { personBlocks, personList } from './person-list.ts'
import { personSync } from './person-sync.ts'

/**
 * Serves the personnel of one post: the list with its file, taking people up and marking those who go, changes of one and of several.
 * The table has `user_no`, the columns of the form, `ai_employee`, `gone_time`, `version` and who changed it when.
 * @example servePersonnel(auditPersons, { openCount: sql`(select count(*) …)` })
 */
export const servePersonnel = (of: Personnel, hooks: PersonHooks): Required<Pick<Module, 'served' | 'lists'>> => {
  const blocked = personBlocks(of)
  const page = personList(of, hooks, blocked)
  return {
    served: [serveListed(page), ...personSync(of, hooks), ...personChanges(of, hooks, blocked as never)],
    lists: [page],
  }
}
