import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { postbackLink } from '../../../../core/rules/market/channel-postback.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serveWork } from '../../../http/serve.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { listed } from '../../../lists/listed.ts'
import type { NetworkHandler, Scheduled } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { type AskOnce, faultOf } from '../../../outgoing/open-link.ts'
import { seenBy } from './source.ts'

const { launch } = contract
const queue = 'launch.postback'
/** Minutes after each try in vain: ten tries in 24 hours. */
const waits = [1, 5, 15, 30, 60, 120, 240, 360, 600] as const
/** What happened longer ago is no news: a network that is added today hears nothing of last month. */
const newsDays = 7
/** Happenings that one run notes. */
const each = 500

type Answered = { answerCode: number | null; answerText: string | null; latencyMs: number }

/** Calls a network's address on the public net; what it answers beside its status is not read. */
const call = async (ask: AskOnce, link: string): Promise<Answered> => {
  const begun = performance.now()
  const took = () => Math.round(performance.now() - begun)
  try {
    const { status, location } = await ask(new URL(link), { method: 'GET' })
    return { answerCode: status, answerText: location?.slice(0, 200) ?? null, latencyMs: took() }
  } catch (error) {
    return { answerCode: null, answerText: faultOf(error), latencyMs: took() }
  }
}

/** A second person has agreed to the host of channel `x`: when it was switched on, or when it was changed while on. */
const agreed = sql`(x.enabled = 'enabled' or x.postback_host = x.agreed_host)`

/** What networks were called for, the newest first. */
export const postbackList = listed({
  list: launch.postbacks,
  source: ({ session }) => ({
    from: sql`channel_postback p join promotion_channel x on x.channel_no = p.channel_no`,
    alias: 'p',
    key: sql`p.postback_no`,
    where: seenBy(session),
    columns: { tryCount: sql`p.tries` },
  }),
})

const queued = (tx: Tx, postbackNo: string, round: string, runAt = tx.now) =>
  enqueue(tx, queue, `${postbackNo} ${round}`, { postbackNo }, { runAt })

type Cause = { channelNo: string; clickId: string; launchEvent: string; eventTime: string }

/** What happened to people whom a channel brought and its network is to hear of: the first time of each kind. */
const causes = (tx: Tx) =>
  tx.rows(sql<Cause>`
    select x.channel_no, r.click_id, h.launch_event, h.event_time
    from promotion_channel x join customer_channel r on r.channel_no = x.channel_no
      cross join lateral (
        select 'register' as launch_event, r.register_time as event_time
        union all select 'apply', min(o.apply_time) from loan_order o where o.customer_no = r.customer_no
        union all select 'pass', min(o.approval_time) from loan_order o where o.customer_no = r.customer_no
        union all select 'payout', min(o.payout_time) from loan_order o where o.customer_no = r.customer_no) h
    where x.deleted_time is null and x.postback_url is not null and ${agreed} and h.launch_event = any(x.postback_events)
      and h.event_time > ${new Date(tx.now.getTime() - newsDays * 86_400_000)}
      and not exists (select 1 from channel_postback p where p.click_id = r.click_id and p.launch_event = h.launch_event)
    order by h.event_time, r.click_id limit ${each}`)

/** Notes what networks are to hear of, each once. */
export const collectPostbacks: Scheduled = {
  job: 'launch.postbacks',
  every: { seconds: 60 },
  async run(tx) {
    let postbacks = 0
    for (const { channelNo, clickId, launchEvent, eventTime } of await causes(tx)) {
      const postbackNo = newNo('PK', tx.now)
      const added = await tx.exec(sql`
        insert into channel_postback (postback_no, channel_no, click_id, launch_event, event_time, created_time)
        values (${postbackNo}, ${channelNo}, ${clickId}, ${launchEvent}, ${eventTime}, ${tx.now}) on conflict (click_id, launch_event) do nothing`)
      if (added) await queued(tx, postbackNo, 'first')
      postbacks += added
    }
    return { postbacks }
  },
}

type Due = { postbackNo: string; tries: number; link: string }

/** Tries a call, notes what came back, and tries again later until it is dead. */
export const postbackSender = (ask: AskOnce): NetworkHandler<Due, Answered> => ({
  queue,
  waits: true,
  async before(tx, { payload: { postbackNo } }) {
    const due = await tx.maybe(
      sql<Cause & { tries: number; postbackUrl: string | null }>`
        select p.click_id, p.launch_event, p.event_time, p.tries, case when x.deleted_time is null and ${agreed} then x.postback_url end as postback_url
        from channel_postback p join promotion_channel x using (channel_no) where p.postback_no = ${String(postbackNo)} and p.delivery = 'waiting'`,
    )
    if (!due) return null
    if (due.postbackUrl === null) {
      await tx.exec(sql`
        update channel_postback set delivery = 'dead', last_try_time = ${tx.now}, answer_text = 'no_address' where postback_no = ${String(postbackNo)}`)
      return null
    }
    const { clickId, launchEvent: event, eventTime, tries } = due
    const link = postbackLink(due.postbackUrl, { clickId, event, time: new Date(eventTime).toISOString() })
    return { postbackNo: String(postbackNo), tries, link }
  },
  send: ({ link }) => call(ask, link),
  async after(tx, { postbackNo, tries }, { answerCode, answerText }) {
    const wait = waits[tries]
    const taken = answerCode !== null && answerCode >= 200 && answerCode < 300
    const delivery = taken ? 'delivered' : wait === undefined ? 'dead' : 'waiting'
    await tx.exec(sql`
      update channel_postback set delivery = ${delivery}, tries = ${tries + 1}, answer_code = ${answerCode}, answer_text = ${answerText}, last_try_time = ${tx.now}
      where postback_no = ${postbackNo} and delivery = 'waiting'`)
    if (delivery === 'waiting' && wait !== undefined)
      await queued(tx, postbackNo, `${tx.now.getTime()}`, new Date(tx.now.getTime() + wait * 60_000))
  },
})

/** Calls the address of a channel with an example, and says what came back. */
export const postbackTest = (ask: AskOnce) =>
  serveWork(launch.postbackTest, {
    async before({ tx, session, input: { channelNo, launchEvent } }) {
      const row = await tx.maybe(sql<{ postbackUrl: string | null; agreed: boolean }>`
        select x.postback_url, ${agreed} as agreed from promotion_channel x
        where x.channel_no = ${channelNo} and x.deleted_time is null and ${seenBy(session)}`)
      if (!row) throw notFound()
      if (row.postbackUrl === null) throw new Fault('stateConflict', 'errors.noPostbackUrl')
      if (!row.agreed) throw new Fault('stateConflict', 'errors.postbackNotAgreed')
      const values = { clickId: 'TEST', event: launchEvent, time: tx.now.toISOString() }
      return { channelNo, sentUrl: postbackLink(row.postbackUrl, values) }
    },
    work: async given => ({ ...given, answer: await call(ask, given.sentUrl) }),
    async after({ audit }, { channelNo, sentUrl, answer }) {
      audit({ objectType: 'promotion_channel', objectNo: channelNo, after: { sentUrl, answerCode: answer.answerCode } })
      return { sentUrl, ...answer }
    },
  })
