import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { mask, maskEmail } from '../../../../core/rules/mask.ts'
import { fill, placesIn } from '../../../../core/rules/message/template-text.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed } from '../../../lists/listed.ts'
import { type Message, post } from '../../../outgoing/post.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'

const { sentMessage } = contract
const perm = sentMessage.page.perm as string

/** The data rule on messages `m`. */
const rule = (session: Session) =>
  scope(session, { merchant: 'm.merchant_no', holder: person => person(sql`m.user_no`), perm })

type Text = { messageNo: string; recipient: string; content: string | null; params: Record<string, string> }

const hidden = (recipient: string) => (recipient.includes('@') ? maskEmail(recipient) : mask(recipient))
/** A text as it went out, with what nobody else may read hidden. */
const shown = ({ content, params }: Text): string | null => {
  if (content === null) return null
  const unknown = Object.fromEntries(placesIn(content).map(name => [name, '******']))
  const named = params.customerName ? { customerName: mask(params.customerName) } : {}
  return fill(content, { ...unknown, ...params, ...named }).text ?? null
}

/** Messages that were sent, with their texts as anybody may read them. */
export const sentList = listed({
  list: sentMessage.page,
  source: ({ session }) => ({
    from: sql`message m`,
    joins: { n: sql`left join business_node n on n.node_no = m.node_no` },
    where: rule(session),
    alias: 'm',
    key: sql`m.message_no`,
    columns: {
      nodeName: sql`n.node_name`,
      receiver: sql`''::text`,
      messageText: sql`null::text`,
      whyBlocked: sql`m.block_reason`,
    },
    filters: {
      pointCode: (code: string) => sql`lower(n.point_code) = lower(${code})`,
    },
  }),
  late: {
    columns: ['receiver', 'messageText'],
    needs: ['messageNo'],
    only: sql`false`,
    async fill(tx, rows) {
      const found = await tx.rows(sql<Text>`
        select message_no, recipient, content, params from message where message_no = any(${rows.map(row => row.messageNo)})`)
      const texts = new Map(found.map(one => [one.messageNo, one]))
      return rows.map(row => {
        const text = texts.get(row.messageNo)
        return text ? { ...row, receiver: hidden(text.recipient), messageText: shown(text) } : row
      })
    },
  },
})

const seen = async (tx: Tx, session: Session, messageNo: string, lock = false): Promise<Message> => {
  const row = await tx.maybe(sql<Message>`
    select m.* from message m where m.message_no = ${messageNo} and ${rule(session)} ${lock ? sql`for update` : sql``}`)
  if (!row) throw notFound()
  return row
}

type Step = { at: string; event: 'msg.send'; toState: 'submitted' | null; said: string | null }

const detail = serve(sentMessage.detail, async ({ tx, session, input: { messageNo } }) => {
  const { templateNo, templateVersion, routeNo, vendorRef, tried } = await seen(tx, session, messageNo)
  const steps = await tx.rows(sql<Step>`
    select at, event, case when to_state = '=' then null else to_state end as to_state, left(coalesce(payload ->> 'said', payload ->> 'reason'), 200) as said
    from state_transition where machine = 'M82' and object_no = ${messageNo} order by transition_no limit 50`)
  return { templateNo, templateVersion, routeNo, vendorRef, triedAccounts: tried, steps }
})

/** The same words once more: only what is service, and what nobody sealed. */
const resend = serve(sentMessage.resend, async call => {
  const { tx, session, input, actor, audit } = call
  const row = await seen(tx, session, input.messageNo, true)
  checkVersion(row, input.version)
  if (row.contactKind !== 'service' || row.content === null || row.sealed !== null)
    throw new Fault('stateConflict', 'errors.resendKind')
  await transition(tx, 'message', row, { event: 'msg.resend' }, actor)
  const { nodeNo, templateNo, templateVersion, title, content, contactKind, channelAt, isOwn } = row
  const { appCode, merchantNo, customerNo, orderNo } = row
  const messageNo = await post(
    tx,
    {
      ...{ channel: row.channelType as 'sms', to: row.recipient, template: 'node', language: row.language as 'en' },
      ...{ params: row.params as never, userNo: row.userNo, objectType: row.objectType, objectNo: row.objectNo },
      node: {
        ...{ nodeNo, templateNo, templateVersion, title, content, contactKind, channelAt: channelAt ?? 0 },
        ...{ isOwn: isOwn ?? false, occurrence: null, appCode, merchantNo, customerNo, orderNo },
      },
    },
    undefined,
    actor,
  )
  audit({ objectType: 'message', objectNo: row.messageNo, after: { messageNo } })
  return { messageNo }
})

export const sentCalls = [detail, resend]
