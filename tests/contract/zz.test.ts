import { it, expect } from 'vitest'
import { openHouse } from './house.ts'
import { tablesHash } from './tables.ts'
it('works', async () => {
  const t0=performance.now()
  const h = await openHouse()
  const t=(s:string)=>console.log(s, Math.round(performance.now()-t0))
  t('open')
  await h.network.gateway
  const x = await h.queueUp(); t('queueUp'); console.log(await h.statusOf('order', x))
  const a = await h.approved('M2'); t('approved'); console.log(await h.statusOf('loanCode', a.loanCode))
  await h.exec((await import('kysely')).sql`select 1`)
  const d = await h.disbursed(); t('disbursed'); console.log(await h.statusOf('loanCode', d.loanCode), await h.statusOf('order', d.orderNo))
  const r = await h.repaid('M2'); t('repaid'); console.log(r)
  const f = await h.receivedFlow(); t('flow'); console.log(f)
  const q = await h.requested(); t('req'); await h.agree(q.approvalNo); console.log(await h.statusOf('loanCode', q.loanCode))
  const t1=performance.now(); await tablesHash(h.db); console.log('hash', performance.now()-t1)
  const t2=performance.now(); await tablesHash(h.db); console.log('hash', performance.now()-t2)
  await h.close()
}, 60000)
