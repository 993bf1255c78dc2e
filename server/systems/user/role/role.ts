import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { grantAction } from './grant.ts'
import { memberCommands, membersAction } from './members.ts'
import { permissions } from './permissions.ts'
import { members, roles } from './role-list.ts'
import { roleReads } from './role-reads.ts'
import { remove, save } from './save.ts'

/** Roles: who may open, do and see what, and the second person where that is more than one may decide. */
export const roleModule = (): Module => ({
  served: [serveListed(roles), serveListed(members), ...roleReads, save, permissions, ...memberCommands, remove],
  lists: [roles, members],
  approvals: [grantAction, membersAction],
})
