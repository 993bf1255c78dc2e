export { askGrant } from './grant.ts'
export { keepsAdministrator } from './last-holder.ts'
export { lockRole } from './role-store.ts'
