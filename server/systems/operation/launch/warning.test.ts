import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { type Kit, openKit } from '../../../testing/kit.ts'
import { costDoubled } from './source.ts'

let kit: Kit
beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [] })
  await kit.person({ perms: [] })
})
afterAll(() => kit.close())

it('names a channel whose payouts cost twice as much yesterday as in the seven days before', async () => {
  const today = eatDate(kit.clock.now())
  const stat = (no: string, back: number, cost: number) => sql`
    insert into channel_stat_daily (channel_no, stat_date, click_count, register_count, incoming_count, pass_count, paid_out_count, payout_amount, first_due_count, first_bad_count, first_paid_count, cost_mode, unit_price, cost_amount)
    values (${no}, ${addDays(today, -back)}, 1, 1, 1, 1, 1, 1, 0, 0, 0, 'fixed', 0, ${cost})`
  await kit.db.withTx(async tx => {
    await tx.exec(sql`insert into promotion_channel (channel_no, enabled, promotion_channel, channel_name, media, merchant_no, app_code, owner_user_no, cost_mode, unit_price, daily_budget, daily_register_cap, landing_url, created_time, updated_by, updated_time)
      select 'PH' || n, 'enabled', 'code' || n, 'Channel ' || n, 'x', 'M1', 'a', (select user_no from app_user limit 1), 'fixed', 0, 0, 0, 'https://a.example', now(), 'U1', now() from generate_series(1, 2) n`)
    for (const row of [stat('PH1', 1, 200), stat('PH1', 4, 100), stat('PH2', 1, 199), stat('PH2', 4, 100)])
      await tx.exec(row)
  })
  const found = await kit.db.withTx(tx => costDoubled.find(tx, {} as never))
  expect(found).toMatchObject([{ key: 'PH1', merchantNo: 'M1', facts: { name: 'Channel 1' } }])
})
