import { sql } from 'kysely'
import { auditAllot } from '../../core/contract/audit/allotment.ts'
import { auditManage } from '../../core/contract/audit/order-list.ts'
import { auditQueue } from '../../core/contract/audit/queue.ts'
import { auditReview } from '../../core/contract/audit/review.ts'
import { blacklist } from '../../core/contract/merchant/blacklist.ts'
import type { Person } from '../../server/testing/kit.ts'
import { readyFile } from '../../server/testing/ready-file.ts'
import { supervisorPerms } from '../../server/testing/review-floor.ts'
import { floorForTests } from '../../server/testing/suites.ts'
import { listOf, type Scene, walk } from './walk.ts'

const { floor, lead, who, allotted } = await floorForTests()
const free = await floor.auditor({ queueCap: 500 })
const forcing = await floor.supervisor({ perms: [...supervisorPerms, 'audit:order:forceAllot'] })
const manager = await floor.supervisor({ perms: ['audit:manage:page', 'audit:order:cancel', 'loans:blacklist'] })

const waiting = async (orderNo: string): Promise<string> => {
  await floor.exec(sql`
    insert into approval (approval_no, approval_action, approval_status, object_type, object_no, order_no, merchant_no, perm, payload, payload_hash, target_version, summary, maker_no, maker_name, submit_time, expire_time)
    values (${`AP${orderNo}`}, 'payout.change', 'pending', 'order', ${orderNo}, ${orderNo}, 'M1', 'audit:order:changePayout', '{}', 'x', 0, '[]', ${who.userNo}, 'x', ${floor.clock.now()}, ${new Date(floor.clock.now().getTime() + 3_600_000)})`)
  return orderNo
}
const openedBy = async (as: Person): Promise<string> => {
  const orderNo = await allotted({}, as)
  await floor.open(as, orderNo)
  return orderNo
}
const forced = async (status: string): Promise<string> => {
  const orderNo = await floor.order()
  await floor.forceStatus(orderNo, status)
  return orderNo
}
const scene =
  (make: () => Promise<string>, as: Person): Scene =>
  async () => ({ key: await make(), as })

walk({
  kit: floor,
  list: listOf((await import('../../widgets/audit/order-allocation.tsx')).default),
  row: async (orderNo, as) => (await floor.call(auditAllot.allotList, { orderNo }, { as })).data.list[0],
  scenes: {
    'in the queue': scene(() => floor.order(), lead),
    'in the queue, an approval waits': scene(async () => waiting(await floor.order()), lead),
    'with an auditor': scene(() => allotted(), lead),
    'with an auditor, an approval waits': scene(async () => waiting(await allotted()), lead),
    'being reviewed': scene(() => openedBy(who), lead),
    'being reviewed, seen by somebody who may take it': scene(() => openedBy(who), forcing),
  },
  answers: (command, row, as) =>
    command === auditAllot.allot
      ? {
          orderNos: [row.orderNo],
          auditorNos: [free.userNo],
          force: as === forcing ? true : undefined,
        }
      : {},
})

walk({
  kit: floor,
  list: listOf((await import('../../widgets/audit/order-management.tsx')).default),
  row: async (orderNo, as) => (await floor.call(auditManage.manageList, { orderNo }, { as })).data.list[0],
  scenes: {
    'in the queue': scene(() => floor.order(), manager),
    'being reviewed': scene(() => openedBy(who), manager),
    'being reviewed, an approval waits': scene(async () => waiting(await openedBy(who)), manager),
    'waiting for its payout': scene(() => forced('pending_disbursement'), manager),
    'payout failed': scene(() => forced('loan_failed'), manager),
    'on loan': scene(() => forced('funds_disbursed'), manager),
    refused: scene(() => forced('approval_rejected'), manager),
  },
  answers: async (command, row, as) =>
    command === blacklist.addPerson
      ? {
          dimensions: ['phone'],
          customerNo: row.customerNo,
          reasonCode: 'fraud',
          merchantNo: 'M1',
          remark: undefined,
          expireTime: undefined,
          evidenceFile: await readyFile(floor.db, as.userNo),
        }
      : {},
})

walk({
  kit: floor,
  list: listOf((await import('../../widgets/audit/my-audit.tsx')).default),
  row: async (orderNo, as) => {
    for (const box of ['todo', 'opened', 'done'] as const) {
      const [row] = (await floor.call(auditQueue.selfList, { orderNo, box }, { as })).data.list
      if (row) return row
    }
  },
  scenes: {
    'in the own queue': scene(() => allotted(), who),
    'opened before': scene(() => openedBy(who), who),
    decided: async () => {
      const orderNo = await allotted()
      const task = await floor.open(who, orderNo)
      await floor.call(auditReview.submit, floor.passing(task) as never, { as: who })
      return { key: orderNo, as: who }
    },
    'reviewed in an earlier step': async () => {
      const orderNo = await allotted({ terms: { auditStepCount: 2 } })
      await floor.exec(sql`update loan_order set audit_step = 2 where order_no = ${orderNo}`)
      await floor.exec(sql`
        insert into audit_record (audit_record_no, audit_task_no, order_no, auditor_no, audit_step, audit_result, seconds, submit_time)
        select 'ARX', audit_task_no, order_no, auditor_no, 1, 'pass', 60, now() from audit_task where order_no = ${orderNo}`)
      return { key: orderNo, as: who }
    },
  },
  answers: (_, row) => ({ orderNo: row.orderNo, force: undefined }),
})
