import { type Selectable, sql } from 'kysely'
import type { NodeChannel } from '../../../../core/contract/operation/business-node.ts'
import type { MessageEvent } from '../../../../core/contract/operation/message-event.ts'
import type { ContactKind } from '../../../../core/rules/contact/contact-block.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'

/** A node as it is stored. */
export type NodeRecord = Omit<Selectable<DB['businessNode']>, 'channelOrder' | 'contactKind' | 'eventKey'> & {
  channelOrder: readonly NodeChannel[]
  contactKind: ContactKind
  eventKey: MessageEvent
}

/** The nodes of an event, those that are off too. */
export const nodesOf = (tx: Tx, event: MessageEvent): Promise<NodeRecord[]> =>
  tx.rows(
    sql<NodeRecord>`select * from business_node where event_key = ${event} and deleted_time is null order by node_no`,
  )

/** A node by its number, whether it is on or off. */
export const nodeOf = (tx: Tx, nodeNo: string): Promise<NodeRecord | undefined> =>
  tx.maybe(sql<NodeRecord>`select * from business_node where node_no = ${nodeNo} and deleted_time is null`)

/** Whether customers of an app hear of a node. */
export const isOn = ({ enabled, appCodes }: NodeRecord, app: string): boolean =>
  enabled === 'enabled' && appCodes.includes(app)

/** Whether customers of a merchant's app hear of an event at all. */
export const isHeard = async (tx: Tx, event: MessageEvent, merchantNo: string): Promise<boolean> => {
  const { appName } = await tx.one(
    sql<{ appName: string }>`select app_name from merchant where merchant_no = ${merchantNo}`,
  )
  return (await nodesOf(tx, event)).some(node => isOn(node, appName))
}
