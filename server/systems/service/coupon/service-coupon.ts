import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { apply, check, quota, withdraw } from './apply.ts'
import { configs } from './config.ts'
import { decide, detail, revoke, revokeApproval } from './decide.ts'
import { lists } from './lists.ts'

/** Coupons that customer service gives: agents ask for them, others decide. */
export const serviceCouponModule = (): Module => ({
  ...configs,
  served: [...configs.served, ...lists.map(serveListed), quota, check, apply, withdraw, decide, detail, revoke],
  lists: [...configs.lists, ...lists],
  approvals: [...configs.approvals, revokeApproval],
})
