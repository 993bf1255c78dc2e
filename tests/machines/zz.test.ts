import { sql } from 'kysely'
import { it } from 'vitest'
import { openKit } from '../../server/testing/kit.ts'
import { transition } from '../../server/transition.ts'
import { around, values } from './rows.ts'
it('x', async () => {
  const kit = await openKit({ modules: [] })
  await kit.db.withTx(async tx => {
    await around(tx)
    const row = { ...values.overpayment, overpaymentStatus: 'open' }
    const columns = Object.keys(row).map(c => sql.ref(c.replace(/[A-Z]/g, l => `_${l.toLowerCase()}`)))
    await tx.exec(sql`insert into overpayment (${sql.join(columns)}) values (${sql.join(Object.values(row))})`)
  })
  const setting = async (tx: any, s: string) => console.log(s, await tx.rows(sql`select current_setting('app.transition', true) as v, overpayment_status, version from overpayment`))
  await kit.db.withTx(async tx => {
    await setting(tx, 'start')
    console.log('n', await tx.exec(sql`update overpayment set overpayment_status = case when set_config('app.transition', 'on', true) = 'on' then ${'open'} end where overpayment_no = 'OV1'`))
    await setting(tx, 'after put')
    const held = await tx.one(sql<any>`select * from overpayment for update`)
    await transition(tx, 'overpayment', held, { event: 'overflow.credit' }, { no: 'U1', name: 'G', requestId: 'r', ip: null })
    await setting(tx, 'after transition')
    try { console.log(await tx.exec(sql`update overpayment set overpayment_status = case when overpayment_status = 'open' then 'locked' else 'open' end`)) } catch (e) { console.log(String(e)); throw e }
    await setting(tx, 'after update')
  }).catch(e => console.log('ERR', e.message))
  await kit.close()
}, 60000)
