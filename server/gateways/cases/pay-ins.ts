import { sql } from 'kysely'
import type { Money } from '../../../core/rules/money.ts'
import type { Made } from '../../systems/after-loan/payout/payout-fixture.ts'
import type { WalletChannel } from '../gateway.ts'
import type { Fixture } from './wallet-fixture.ts'

export type Flow = { serialNo: string; amount: Money; flowStatus: string; waitReason: string | null; channel: string }
export type Item = { reconKind: string; amount: Money; difference: Money }

/** Customers of one network who were paid out, and what they do with their phones. */
export const payIns = ({ p, networks, settle }: Fixture, channel: WalletChannel) => {
  const network = networks[channel]
  let payers = 0

  return {
    network,
    /** An order that was paid out over this network. */
    async debtor(order: (o: { code: string; variant?: string }) => Promise<Made>) {
      const made = await order({ code: 'G01', variant: 'later' })
      await p.run()
      return { ...made, payCode: String((await p.order(made.orderNo)).payCode) }
    },
    stranger: () => `${channel === 'mtn_momo' ? '25678' : '25670'}${String(++payers).padStart(6, '0')}1`,

    /** Somebody pays; then all that the network tells is heard. */
    async pay(o: { reference: string; payer: string; amount: number; case?: string; serialNo?: string }) {
      const payIn = await network.payIn(o)
      await network.clock(1)
      await settle()
      return payIn
    },
    flowsOf: (serialNo: string) =>
      p.db.read(tx =>
        tx.rows(sql<Flow>`
          select channel, serial_no, amount, flow_status, wait_reason from repay_flow where serial_no = ${serialNo} order by channel`),
      ),
    itemsOf: (serialNo: string) =>
      p.db.read(tx =>
        tx.rows(sql<Item>`select recon_kind, amount, difference from recon_item where reference = ${serialNo}`),
      ),
    /** Events of this network with their state, and what was suspicious about them. */
    events: (ref: string) =>
      p.db.read(tx =>
        tx.rows(sql<{ outcome: string; deliveries: number; suspicions: string[] }>`
          select outcome, deliveries, array(select security_kind from security_log where object_no = event_no::text order by 1) as suspicions
          from inbound_event where event_id like ${`${ref}%`} order by event_no`),
      ),
    owed: async (orderNo: string) =>
      (
        await p.one<{ owed: Money }>(
          sql`select coalesce(sum(principal_due - principal_paid), 0)::numeric(18,2) as owed from repay_plan where order_no = ${orderNo} and bill_status not in ('extended', 'cancelled')`,
        )
      ).owed,
  }
}
