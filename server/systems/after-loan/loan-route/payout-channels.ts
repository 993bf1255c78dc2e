import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { GatewayUnavailable, type PayoutGateway } from '../../../gateways/gateway.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve, serveWork } from '../../../http/serve.ts'
import { listed, type Reader } from '../../../lists/listed.ts'
import type { Deps } from '../../../module.ts'
import { merchantsOf } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'
import { loanScope } from '../payout/desk/loan-source.ts'
import { channelOfPayee } from './route-target.ts'

const { loanRoute } = contract
type Gateways = Deps['payout']

type ChannelItem = {
  channel: string
  channelName: string
  pauseStatus: string
  pausedBy: string | null
  version: number
}

const gatewayOf = (payout: Gateways, channel: string) =>
  Object.hasOwn(payout, channel) ? payout[channel as PayoutGateway['channel']] : undefined

/** Channels are the company's: people who see some merchants only neither see nor stop them. */
const seesAll = (session: Session, perm?: string) => merchantsOf(session, perm) === null

const lockChannel = async (
  { tx, session }: Reader,
  { channel, version }: { channel: string; version: number },
  perm?: string,
): Promise<ChannelItem> => {
  if (!seesAll(session, perm)) throw notFound()
  const found = await tx.maybe(sql<ChannelItem>`
    select channel, channel_name, pause_status, paused_by, version from channel where channel = ${channel} for update`)
  if (!found) throw notFound()
  checkVersion(found, version)
  return found
}

/** What the channels do just now, of the payouts within the reach of the reader. */
export const channelList = (payout: Gateways) =>
  listed({
    list: loanRoute.channels,
    source: ({ tx, session }) => {
      const hourAgo = new Date(tx.now.getTime() - 3_600_000)
      const sent = sql`
        from gateway_attempt ga join loan_code lc on lc.loan_code = ga.parent_no join loan_order o on o.order_no = lc.order_no
        where ga.parent_kind = 'loanCode' and ga.channel = x.channel and ${loanScope(session)}`
      const lately = (status?: string) =>
        sql`(select count(*)::int ${sent} and ga.sent_time > ${hourAgo} ${status ? sql`and ga.attempt_status = ${status}` : sql``})`
      const codes = sql`
        from loan_code lc join loan_order o on o.order_no = lc.order_no where ${loanScope(session)}`
      const waiting = sql`${codes} and lc.loan_code_status = 'created' and ${channelOfPayee} = x.channel`
      return {
        from: sql`channel x`,
        alias: 'x',
        key: sql`x.channel`,
        where: seesAll(session, loanRoute.channels.perm) ? sql`true` : sql`false`,
        columns: {
          configured: sql`x.channel = 'bank_file' or x.channel = any(${Object.keys(payout)})`,
          sentCount: lately(),
          succeededCount: lately('succeeded'),
          failedCount: lately('failed'),
          unknownCount: lately('unknown'),
          oldestUnknown: sql`(select min(ga.sent_time) ${sent} and ga.attempt_status = 'unknown')`,
          waitingCodes: sql`(select count(*)::int ${waiting})`,
          waitingAmount: sql`(select coalesce(sum(lc.actual_loan_amount), 0)::numeric(18,2) ${waiting})`,
          runningCodes: sql`(select count(*)::int ${codes} and lc.channel = x.channel and lc.loan_code_status in ('remitting', 'unknown'))`,
        },
      }
    },
  })

/** Stops a channel at once: nobody has to agree to sending less. */
export const pauseCommand = serve(loanRoute.pause, async call => {
  const { tx, input, actor, audit } = call
  const row = await lockChannel(call, input, loanRoute.pause.perm)
  const { reason } = input
  const set = { pauseReason: reason, pausedTime: tx.now, pausedBy: actor.no, pausedName: actor.name }
  await transition(tx, 'payoutChannel', row, { event: 'channel.pause', as: 'person', set, payload: { reason } }, actor)
  audit({ objectType: 'channel', objectNo: row.channel, after: { pauseStatus: 'paused', reason } })
  return { channel: row.channel }
})

const answers = async (gateway: PayoutGateway): Promise<boolean> => {
  try {
    await gateway.balance()
    return true
  } catch (error) {
    if (error instanceof GatewayUnavailable) return false
    throw error
  }
}

/** A channel sends again once it answers. Files to a bank have nobody to ask. */
export const resumeCommand = (payout: Gateways) =>
  serveWork(loanRoute.resume, {
    before: async ({ input }) => ({ gateway: gatewayOf(payout, input.channel) }),
    work: async ({ gateway }) => ({ good: !gateway || (await answers(gateway)) }),
    async after(call, { good }) {
      const { tx, input, actor, audit } = call
      const row = await lockChannel(call, input, loanRoute.resume.perm)
      const remark = input.remark ?? null
      if (row.pauseStatus === 'paused' && row.pausedBy === actor.no && !remark)
        throw invalid('remark', 'validation.resumeRemark')
      if (!good) throw new Fault('stateConflict', 'errors.channelSilent')
      const set = { pauseReason: null, pausedTime: null, pausedBy: null, pausedName: null }
      await transition(tx, 'payoutChannel', row, { event: 'channel.resume', set, payload: { remark } }, actor)
      audit({ objectType: 'channel', objectNo: row.channel, after: { pauseStatus: 'open', remark } })
      return { channel: row.channel }
    },
  })

export const limitCommand = serve(loanRoute.limit, async call => {
  const { tx, input, audit } = call
  const row = await lockChannel(call, input, loanRoute.limit.perm)
  const { pauseAfterUnknown } = input
  await tx.exec(sql`
    update channel set pause_after_unknown = ${pauseAfterUnknown}, version = version + 1 where channel = ${row.channel}`)
  audit({ objectType: 'channel', objectNo: row.channel, after: { pauseAfterUnknown } })
  return { channel: row.channel }
})
