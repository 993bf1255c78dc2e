import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { messageAccounts, vendorsWithSecret } from '../../../../core/contract/operation/message-center.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { changesOf, noteChange } from '../../../configs/history.ts'
import type { Tx } from '../../../db/database.ts'
import type { Handed, SmsVendor } from '../../../gateways/texts/sms-vendor.ts'
import { checkVersion, Fault, notFound } from '../../../http/fault.ts'
import { type Call, serve, serveWork } from '../../../http/serve.ts'
import type { ApprovalAction, Deps } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { post } from '../../../outgoing/post.ts'
import { transition } from '../../../states/transition.ts'
import { noteBalance } from './balance.ts'
import { accountSealer, type carriersOf, mailAccountNo } from './carriers.ts'
import { type Access, vendorOf } from './vendor-kinds.ts'

const { messageAccount } = contract
const testsADay = 5
const action = 'messageAccount.rotate'
const objectType = messageAccounts.table

type Account = Omit<Access, 'vendorUser' | 'secret'> & {
  enabled: string
  channelType: string
  version: number
  credentialTime: string | null
}
export type OpenVendor = (of: Access) => { vendor: SmsVendor }

const held = async (tx: Tx, accountNo: string, lock = false): Promise<Account> => {
  const row = await tx.maybe(sql<Account>`
    select x.* from message_account x where x.account_no = ${accountNo} and x.deleted_time is null ${lock ? sql`for update` : sql``}`)
  if (!row) throw notFound()
  return row
}

const ownReach = (tx: Tx, userNo: string) =>
  tx.one(sql<{ phone: string | null; email: string | null }>`
    select case when phone_verified then phone end as phone, case when email_verified then email end as email from app_user where user_no = ${userNo}`)

/** A person tries accounts a few times a day. */
const countTest = async ({ tx, session }: Pick<Call, 'tx' | 'session'>) => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext(${`test of ${session.userNo}`}))`)
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*)::int as count from audit_log where actor = ${session.userNo} and action = any(array['messageAccount.test', 'messageAccount.rotate']) and at >= ${startOfEatDay(tx.today)}`)
  if (count >= testsADay) throw new Fault('quota', 'errors.testsADay', { n: testsADay })
}

/** Another secret is tried by a text to the caller, and waits for a second person; until then the old one works. */
const rotate = (secretKey: Buffer, open: OpenVendor) =>
  serveWork(messageAccount.rotate, {
    async before(call) {
      const { tx, session, input } = call
      const row = await held(tx, input.accountNo)
      checkVersion(row, input.version)
      if (!vendorsWithSecret.includes(row.messageVendor)) throw new Fault('stateConflict', 'errors.secretOfServer')
      const { phone } = await ownReach(tx, session.userNo)
      if (!phone) throw new Fault('stateConflict', 'errors.noOwnPhone')
      await countTest(call)
      const { vendor } = open({ ...row, vendorUser: input.vendorUser, secret: input.credential })
      return {
        vendor,
        text: { messageNo: newNo('MS', tx.now), phone, senderId: row.senderId, content: `Mkopo: ${row.accountNo}` },
      }
    },
    async work({ vendor, text }): Promise<Handed> {
      try {
        return await vendor.send(text)
      } finally {
        vendor.close?.()
      }
    },
    async after(call, handed) {
      const { tx, session, input, actor, audit } = call
      if (handed.is !== 'accepted')
        throw new Fault('stateConflict', 'errors.credentialRefused', { reason: handed.reason })
      const { accountNo, vendorUser, reason } = input
      const row = await held(tx, accountNo, true)
      const sealed = accountSealer(secretKey).seal(Buffer.from(input.credential), accountNo)
      const approvalNo = await requestApproval(
        { tx, session, actor },
        {
          ...{
            objectType,
            objectNo: accountNo,
            action,
            perm: messageAccount.rotate.perm as string,
            version: row.version,
          },
          payload: { accountNo, vendorUser, sealed },
          summary: [
            { label: 'fields.accountName', before: null, after: row.accountName },
            { label: 'fields.vendorUser', before: null, after: vendorUser },
            { label: 'fields.reason', before: null, after: reason },
          ],
        },
      )
      audit({ objectType, objectNo: accountNo, after: { vendorUser, approvalNo } })
      return { approvalNo }
    },
  })

/** A second person lets the new secret take the place of the old one. */
export const rotateApproval: ApprovalAction = {
  action,
  perm: 'message:account:save',
  money: false,
  async execute(tx, { objectNo, payload, checker }) {
    const row = await held(tx, objectNo, true)
    const { vendorUser, sealed } = payload as { vendorUser: string; sealed: string }
    const set = { credentialTime: tx.now, updatedBy: checker.no, updatedTime: tx.now }
    const secrets = { vendorUser, credential: sealed, reportSecret: randomBytes(24).toString('base64url') }
    const { version } = await transition(
      tx,
      messageAccounts.machine,
      row,
      { event: 'item.update', set: { ...set, ...secrets } },
      checker,
    )
    const changes = changesOf(['credentialTime'], row as never, set)
    noteChange(tx, messageAccounts.machine, { objectNo, version, event: 'item.update', changes }, checker)
  },
}

type Carriers = ReturnType<typeof carriersOf>

/** A text or letter to the caller, which goes by no other account. */
const sendTest = (carriers: Carriers) =>
  serve(messageAccount.sendTest, async call => {
    const { tx, session, input, actor } = call
    const row = await held(tx, input.accountNo)
    const isMail = row.channelType === 'email'
    if (row.channelType !== 'sms' && !(isMail && row.accountNo === mailAccountNo))
      throw new Fault('stateConflict', 'errors.noTestWay')
    if (row.enabled !== 'enabled') throw new Fault('stateConflict', 'errors.accountOff')
    const { phone, email } = await ownReach(tx, session.userNo)
    const to = isMail ? email : phone
    if (!to) throw new Fault('stateConflict', 'errors.noOwnPhone')
    await countTest(call)
    const { sms } = await carriers(tx, { all: true })
    const avoid = sms.map(({ accountNo }) => accountNo).filter(accountNo => accountNo !== row.accountNo)
    const messageNo = await post(
      tx,
      {
        ...{ channel: isMail ? 'email' : 'sms', to, template: 'routeTest', language: session.language, avoid },
        ...{
          params: { route: row.accountNo },
          userNo: session.userNo,
          objectType: 'accountTest',
          objectNo: row.accountNo,
        },
      },
      undefined,
      actor,
    )
    call.audit({ objectType, objectNo: row.accountNo, after: { messageNo } })
    return { messageNo }
  })

/** Asks the vendor what is left, and keeps the answer. */
const askBalance = (carriers: Carriers) =>
  serveWork(messageAccount.askBalance, {
    async before({ tx, input: { accountNo } }) {
      await held(tx, accountNo)
      const account = (await carriers(tx, { all: true })).sms.find(one => one.accountNo === accountNo)
      if (!account?.vendor.balance) throw new Fault('stateConflict', 'errors.noBalance')
      return { ask: account.vendor.balance }
    },
    work: ({ ask }) => ask(),
    async after({ tx, input: { accountNo }, audit }, balance) {
      if (balance === null) throw new Fault('stateConflict', 'errors.balanceUnknown')
      await noteBalance(tx, accountNo, balance)
      audit({ objectType, objectNo: accountNo, after: { balance } })
      return { balance }
    },
  })

export const accountCalls = (
  { secretKey, demo }: Pick<Deps, 'secretKey' | 'demo'>,
  carriers: Carriers,
  open: OpenVendor = of => ({ vendor: vendorOf(of, { demo }) }),
) => [rotate(secretKey, open), sendTest(carriers), askBalance(carriers)]
