export { checkHolders, type GivenRole, givenRoles, giveRoles, isCheckedRole, mayGive } from './giving.ts'
export { askGrant } from './grant.ts'
export { keepsAdministrator } from './last-holder.ts'
export { lockRole } from './role-store.ts'
