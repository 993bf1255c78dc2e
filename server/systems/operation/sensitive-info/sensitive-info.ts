import type { Module } from '../../../module.ts'
import { revealLog } from './reveal-log.ts'
import { settings } from './settings.ts'

/** What is sensitive, how much of it is seen, and who has revealed it. */
export const sensitiveInfoModule = (): Module => ({
  served: [...settings.served, ...revealLog.served],
  lists: revealLog.lists,
  approvals: settings.approvals,
})
