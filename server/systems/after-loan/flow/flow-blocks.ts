import { sql } from 'kysely'
import { repay } from '../../../../core/contract/after-loan/repayment.ts'
import { can } from '../../../../core/rules/machines/machine.ts'
import { machines } from '../../../../core/rules/machines/machines.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { type Flow, readFlows } from './flow-store.ts'

type FlowFacts = { flow: Flow; waits: boolean }

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, FlowFacts>> => {
  const flows = await readFlows(tx, keys)
  const waiting = await tx.rows(sql<{ flowNo: string }>`
    select object_no as flow_no from approval where object_type = 'flow' and object_no = any(${[...keys]}) and approval_status = 'pending'`)
  const waits = new Set(waiting.map(({ flowNo }) => flowNo))
  return new Map(flows.map(flow => [flow.flowNo, { flow, waits: waits.has(flow.flowNo) }]))
}

/** Everything but the record mark must be there before money counts. */
export const incomplete = (flow: Flow): Fault | null => {
  const missing = (['paymentCode', 'fundAccountNo', 'serialNo'] as const).find(name => !flow[name])
  return missing ? invalid(missing, 'validation.writeOffIncomplete') : null
}

const commit = ({ flow }: FlowFacts) => (flow.flowStatus === 'draft' ? incomplete(flow) : null)

const remove = ({ flow }: FlowFacts, { session }: Asker) =>
  can(machines.flow, flow.flowStatus, 'flow.delete') && session && flow.createdBy !== session.userNo
    ? new Fault('forbidden', 'errors.onlyMaker')
    : null

const askVoid = ({ flow: { flowStatus } }: FlowFacts) =>
  flowStatus === 'partly_used' || flowStatus === 'exhausted'
    ? new Fault('stateConflict', 'errors.flowInUse', {}, { status: flowStatus })
    : null

/** Why receipts do not take what people would do with them. */
export const flowBlocks = blocks<FlowFacts>({
  read,
  states: ({ flow }) => ({ flow: flow.flowStatus }),
  waits: ({ waits }) => waits,
  commands: [
    { command: repay.flowCommit, refuses: commit },
    { command: repay.flowConfirm },
    { command: repay.flowDelete, refuses: remove },
    { command: repay.flowVoid, refuses: askVoid },
  ],
})
