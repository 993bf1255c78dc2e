import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Kit, openKit } from '../../../testing/kit.ts'
import { application, send } from '../../../testing/partner.ts'
import { intakeModule } from '../intake/intake.ts'
import { creditModule, usableLimit } from './credit.ts'

let kit: Kit
beforeAll(async () => {
  kit = await openKit({ modules: [intakeModule()] })
})
afterAll(() => kit.close())

type Credit = { customerNo: string; creditStatus: string; creditExpiry: string; adjustable: boolean; usable: string }
const credits = () =>
  kit.db.read(tx =>
    tx.rows(sql<Credit>`
      select customer_no, credit_status, credit_expiry, adjustable, ${usableLimit(tx.today, 'M1')} as usable from credit join customer c using (customer_no)`),
  )
const expire = (date: string) => kit.db.withTx(tx => creditModule().chunked![0]!.chunk(tx, { date, cursor: null }))

it('is granted for a year with the first application, ends after its last day and is granted again', async () => {
  expect((await send(kit, application(7001))).code).toBe(0)
  const [granted] = await credits()
  expect(granted).toMatchObject({ creditStatus: 'granted', creditExpiry: '2027-03-02', adjustable: true })
  expect(Number(granted!.usable)).toBeGreaterThan(0)

  expect((await expire('2027-03-02')).counts).toEqual({ expired: 0 })
  expect((await expire('2027-03-03')).counts).toEqual({ expired: 1 })
  expect((await expire('2027-03-03')).counts).toEqual({ expired: 0 })
  expect(await credits()).toMatchObject([{ creditStatus: 'expired', usable: '0.00' }])

  await kit.db.withTx(tx =>
    tx.exec(sql`insert into business_config (config_key, config_value) values ('CREDIT_VALID_DAYS', '30')`),
  )
  const again = application(7001)
  for (const turn of [2, 3])
    expect((await send(kit, { ...again, thirdOrderNo: `${again.thirdOrderNo}-${turn}` })).code).toBe(0)
  expect(await credits()).toEqual([{ ...granted, creditExpiry: '2026-04-01' }])
  const events = await kit.db.read(tx =>
    tx.rows(sql<{ event: string }>`select event from state_transition where machine = 'M54' order by transition_no`),
  )
  expect(events.map(row => row.event)).toEqual([
    'credit.start',
    'credit.ok',
    'clock.expire',
    'credit.regrant',
    'credit.ok',
  ])
})
