import type { rollbackKinds } from '../../../../core/contract/after-loan/repayment-rows.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import type { Actor } from '../../../rights/actor.ts'
import { readFlows } from '../flow/flow-store.ts'
import { writeOff } from '../write-off/write-off.ts'
import { flowsOfRecord, type RepayRecord, type RollbackEvent, rollBack } from './rollback.ts'
import { checkRepayable, standingOf, tryOut } from './trial.ts'

export type RollbackKind = ValueOf<typeof rollbackKinds>
type Pair = { maker: Actor; checker: Actor }

/** Which kind of record becomes which, and by which row of the machine. */
const conversions: Record<
  Exclude<RollbackKind, 'plain'>,
  { from: string; event: RollbackEvent; post: 'repay.settle' | 'repay.extension' }
> = {
  settle: { from: 'extension', event: 'rollback.extensionToSettle', post: 'repay.settle' },
  extension: { from: 'partial', event: 'rollback.partialToExtension', post: 'repay.extension' },
}

/** Posts the receipts of a record that was just rolled back again, as another kind of repayment on its own value date. */
const postAgain = async (tx: Tx, record: RepayRecord, kind: Exclude<RollbackKind, 'plain'>, actor: Actor) => {
  const used = await flowsOfRecord(tx, record.repaymentNo)
  const standing = await standingOf(tx, record.orderNo, { lock: true, from: () => record.valueDate })
  checkRepayable(standing)
  const flows = await readFlows(
    tx,
    used.map(({ flowNo }) => flowNo),
    { lock: true },
  )
  const sources = used.map(({ flowNo, writeOffAmount: amount }) => {
    const flow = flows.find(one => one.flowNo === flowNo)
    if (!flow) throw new Error(`${flowNo} is gone`)
    return { flow, amount }
  })
  const outcome = tryOut(
    standing,
    {
      repayType: kind,
      valueDate: record.valueDate,
      amounts: sources.map(({ amount }) => amount),
      sources: sources.map(({ flow }) => `${flow.channel} ${flow.serialNo}`),
      smallSettle: false,
    },
    tx.today,
  )
  if (outcome.refusal) throw new Fault('stateConflict', outcome.refusal)
  const how = { event: conversions[kind].post, sources: { kind: 'flows' as const, flows: sources } }
  await writeOff(tx, standing, outcome, { ...how, remark: record.repaymentNo, actor })
}

/** Takes a record back, and makes of its receipts what was asked for; all of it, or nothing. */
export const rollBackAs = async (tx: Tx, repaymentNo: string, kind: RollbackKind, o: Pair): Promise<void> => {
  if (kind === 'plain') return void (await rollBack(tx, repaymentNo, o))
  const record = await rollBack(tx, repaymentNo, { ...o, event: conversions[kind].event })
  await postAgain(tx, record, kind, o.maker)
}

class Undone extends Error {}

/** Refuses now what would be refused when a second person agrees: it is done, and undone. */
export const checkConversion = async (tx: Tx, record: RepayRecord, kind: RollbackKind, maker: Actor): Promise<void> => {
  if (kind === 'plain') return
  if (conversions[kind].from !== record.repayType || record.source !== 'flows')
    throw new Fault('stateConflict', 'errors.noConversion')
  try {
    await tx.attempt(async inner => {
      await rollBackAs(inner, record.repaymentNo, kind, { maker, checker: maker })
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
}
