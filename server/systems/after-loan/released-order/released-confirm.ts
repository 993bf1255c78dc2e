import { sql } from 'kysely'
import { loan } from '../../../../core/contract/after-loan/loan.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { Fault } from '../../../http/fault.ts'
import type { ApprovalAction, QueueHandler } from '../../../module.ts'
import type { Actor } from '../../../rights/actor.ts'
import { writeAudit } from '../../../rights/audit-rows.ts'
import { rightsNow } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'
import { checkEvidence, confirmConflict, confirmSecond, disagree, waitingSend } from '../payout/desk/confirm.ts'
import { type ConfirmRecord, lockCode, lockConfirm } from '../payout/desk/loan-source.ts'

export const fileAction = 'payout.confirmFile'
const rowQueue = 'payout.confirmFile'
const perm = 'fund:payout:import'

type How = 'agree' | 'disagree' | 'withdraw'
type Asked = { confirmNo: string; importNo: string; how: How; by: string; byName: string }

/** Puts every payout that a file first confirmed, and that nobody decided since, into the queue, together with the decision. */
const spread = (tx: Tx, importNo: string, how: How, by: Actor): Promise<number> =>
  tx.exec(sql`
    insert into job (queue, job_key, payload, run_at, max_attempts, created_time)
    select ${rowQueue}, cf.confirm_no || '.' || cf.version, ${json({ importNo, how, by: by.no, byName: by.name })} || jsonb_build_object('confirmNo', cf.confirm_no),
      ${tx.now}, 10, ${tx.now}
    from loan_code_confirm cf where cf.import_no = ${importNo} and cf.confirm_status = 'first_confirmed' order by cf.confirm_no
    on conflict (queue, job_key) do nothing`)

const hows = { rejected: 'disagree', withdrawn: 'withdraw', expired: 'withdraw' } as const

/** A file that its maker confirmed first: approval confirms each of its payouts, anything else withdraws that confirmation. */
export const fileApproval: ApprovalAction = {
  action: fileAction,
  perm,
  money: true,
  execute: async (tx, { objectNo, checker }) => {
    if ((await spread(tx, objectNo, 'agree', checker)) === 0)
      throw new Fault('stateConflict', 'errors.nothingToConfirm')
  },
  drop: async (tx, { objectNo, how, by }) => void (await spread(tx, objectNo, hows[how], by)),
}

/** Agrees to one payout, with every guard asked again. */
const agree = async (tx: Tx, asked: Asked, record: ConfirmRecord, actor: Actor): Promise<void> => {
  const session = await rightsNow(tx, asked.by, 'zh')
  if (!session?.perms.has(`${perm}:check`)) throw new Fault('forbidden', 'errors.forbidden')
  const held = await waitingSend(tx, await lockCode(tx, session, record.parentNo))
  const conflict = await confirmConflict(tx, held, actor)
  if (conflict) throw conflict
  const { result, serialNo, statementDate } = record
  const said = { result: result as 'success', serialNo: serialNo ?? undefined, statementDate: String(statementDate) }
  await checkEvidence(tx, said, held)
  await confirmSecond(tx, held, record, actor)
}

const decide = async (tx: Tx, asked: Asked, record: ConfirmRecord, actor: Actor): Promise<void> => {
  if (asked.how === 'agree') await agree(tx, asked, record, actor)
  else if (asked.how === 'disagree') await disagree(tx, record, { importNo: asked.importNo }, actor)
  else await transition(tx, 'confirmRecord', record, { event: 'confirm.withdraw' }, actor)
  if (asked.how !== 'agree')
    await tx.exec(sql`update loan_code set version = version + 1 where loan_code = ${record.parentNo}`)
}

/** One payout of a decided file. What was decided or answered in the meantime stays as it is. */
const one = async (tx: Tx, asked: Asked): Promise<void> => {
  const seen = await tx.one(sql<{ parentNo: string; orderNo: string }>`
    select cf.parent_no, lc.order_no from loan_code_confirm cf join loan_code lc on lc.loan_code = cf.parent_no where cf.confirm_no = ${asked.confirmNo}`)
  await lockCode(tx, null, seen.parentNo)
  const record = await lockConfirm(tx, seen.parentNo)
  if (
    record?.confirmNo !== asked.confirmNo ||
    record.confirmStatus !== 'first_confirmed' ||
    record.importNo !== asked.importNo
  )
    return
  const actor = { no: asked.by, name: asked.byName, requestId: `file:${asked.confirmNo}.${record.version}`, ip: null }
  let refused: string | undefined
  try {
    await tx.attempt(inner => decide(inner, asked, record, actor))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    refused = error.key
  }
  const { importNo, how } = asked
  writeAudit(tx, { action: 'payout.confirm', path: loan.confirm.path, actor }, [
    {
      objectType: 'loanCode',
      objectNo: record.parentNo,
      orderNo: seen.orderNo,
      before: { confirmStatus: record.confirmStatus },
      after: { importNo, how, ...(refused ? { refused } : {}) },
    },
  ])
}

/** Carries the decision on a file out, one payout a transaction. */
export const fileQueue: QueueHandler = {
  queue: rowQueue,
  handle: (tx, { payload }) => one(tx, payload as unknown as Asked),
}
