import { sql } from 'kysely'
import { addDays } from '../../../../core/rules/time.ts'
import type { Scheduled } from '../../../module.ts'

/** Days after which a device that does not ask any more is forgotten; what it was counted in stays. */
export const keptDays = 90
const atOnce = 20_000

/** Forgets devices that no longer ask. */
export const forgetDevices: Scheduled = {
  job: 'appVersion.forget',
  every: { dailyAt: '03:40' },
  run: async tx => ({
    forgotten: await tx.exec(sql`
      delete from app_device where (app_code, os, device_hash) in (
        select app_code, os, device_hash from app_device where seen_date < ${addDays(tx.today, -keptDays)}::date order by seen_date limit ${atOnce})`),
  }),
}
