import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { post } from '../../../outgoing/post.ts'
import { system } from '../../../rights/actor.ts'
import { rightsOfPerson } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { messageApp, messageAccount, sentMessage } = contract
let made = 0

/** An account that has no secret yet; each call another name. */
export const accountInput = () => ({
  channelType: 'sms',
  messageVendor: 'africas_talking',
  accountName: `Lake text ${++made}`,
  vendorEndpoint: 'https://api.vendor.example',
  senderId: 'NILE',
  unitCost: '35.00',
  lowBalance: '50000.00',
})

/** An app that speaks by texts alone. */
export const appInput = (appCode = 'BodaCash') => ({
  appCode,
  appName: `Boda ${++made}`,
  merchantNos: ['M1'],
  appChannels: [{ channelType: 'sms' }],
  defaultLanguage: 'en',
  quietFrom: '20:00',
  quietUntil: '08:00',
})

/** A service message that did not arrive. */
export const failedMessage = async (tx: Tx, contactKind = 'service'): Promise<string> => {
  const node = {
    ...{
      nodeNo: null,
      templateNo: null,
      templateVersion: null,
      title: null,
      content: 'Hello {customerName}',
      contactKind,
    },
    ...{
      occurrence: null,
      channelAt: 0,
      isOwn: true,
      appCode: 'BodaCash',
      merchantNo: 'M1',
      customerNo: null,
      orderNo: null,
    },
  }
  const no = await post(tx, {
    ...{
      channel: 'sms',
      to: '256772000031',
      template: 'node',
      language: 'en',
      params: { customerName: 'Ruth Akello' },
    },
    ...{ objectType: 'test', objectNo: `T${++made}`, node, runAt: new Date(tx.now.getTime() + 86_400_000) },
  })
  await tx.flush()
  const row = { messageNo: no, messageStatus: 'queued', version: 0 }
  await transition(
    tx,
    'message',
    row,
    { event: 'msg.send', as: 'failed', set: { failReason: 'no_route' } },
    system('test'),
  )
  await tx.flush()
  return no
}

const account = async (fixture: Fixture) => String((await done(fixture, messageAccount.save, accountInput())).key)

/** Asks for another secret of an account, as after its trial text was taken: nothing is sent to a vendor here. */
const rotation = async (fixture: Fixture): Promise<string> => {
  const accountNo = await account(fixture)
  const { userNo } = fixture.boss
  return fixture.db.withTx(async tx => {
    const session = await rightsOfPerson(tx, userNo, 'zh')
    const actor = { ...system('fixture'), no: userNo, name: session.realName }
    return requestApproval(
      { tx, session, actor },
      {
        ...{ objectType: 'message_account', objectNo: accountNo, action: 'messageAccount.rotate' },
        ...{ perm: messageAccount.rotate.perm as string, version: 0 },
        payload: { accountNo, vendorUser: 'nile', sealed: 'sealed' },
        summary: [{ label: 'fields.vendorUser', before: null, after: 'nile' }],
      },
    )
  })
}

export default facts({
  approvals: [{ action: 'messageAccount.rotate', ask: rotation }],
  lists: [
    {
      list: messageAccount.page,
      key: 'accountNo',
      of: 'company',
      fill: async fixture => {
        const no = await account(fixture)
        const changes = `jsonb_build_object(${prefixed('account_no')}, 'account_name', 'Account ' || n % 6 || ' ' || n, ${at('updated_time')}, 'unit_cost', n % 4 * 10)`
        await copied(fixture, 'message_account', `account_no = '${no}'`, changes)
      },
    },
    {
      list: messageApp.page,
      key: 'messageAppNo',
      of: 'company',
      fill: async fixture => {
        const no = String((await done(fixture, messageApp.save, appInput())).key)
        const changes = `jsonb_build_object(${prefixed('message_app_no')}, 'app_code', 'App' || n, 'app_name', 'App ' || n % 6 || ' ' || n, ${at('updated_time')})`
        await copied(fixture, 'message_app', `message_app_no = '${no}'`, changes)
      },
      means: {
        appName: (row, text: string) => String(row.appName).toLowerCase().includes(text.trim().toLowerCase()),
        merchantNo: (row, nos: string[]) =>
          nos.length === 0 || (row.merchantNos as string[]).some(no => nos.includes(no)),
      },
    },
    {
      list: sentMessage.page,
      key: 'messageNo',
      of: 'company',
      fill: async fixture => {
        const no = await fixture.db.withTx(tx => failedMessage(tx))
        const changes = `jsonb_build_object(${prefixed('message_no')}, ${at('created_time')}, 'customer_no', 'C' || n % 4, 'send_time', x.created_time - n % 7 * interval '1 minute')`
        await copied(fixture, 'message', `message_no = '${no}'`, changes)
      },
      means: { pointCode: () => false },
    },
  ],
  commands: [
    {
      call: sentMessage.resend,
      make: async fixture => {
        const no = await fixture.db.withTx(tx => failedMessage(tx))
        return { no, input: { messageNo: no, version: 1 } }
      },
      race: { again: true },
    },
  ],
  records: [
    { fields: ['messageAppNo'], table: 'message_app', key: 'message_app_no' },
    {
      fields: ['accountNo'],
      table: 'message_account',
      key: 'account_no',
      under: '/common/messageAccount',
    },
  ],
  calls: [...Object.values(messageAccount), ...Object.values(messageApp), ...Object.values(sentMessage)]
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about: 'accounts, apps and messages of the whole company' })),
})
