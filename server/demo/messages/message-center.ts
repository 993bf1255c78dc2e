import type { InputOf } from '../../../core/contract/endpoint.ts'
import { messageAccount, messageApp } from '../../../core/contract/operation/message-center.ts'
import type { Tx } from '../../db/database.ts'
import { demoAccounts } from '../../outgoing/open-vendors.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { registerAccounts } from '../../systems/operation/message-center/accounts.ts'
import { messageCenterModule } from '../../systems/operation/message-center/message-center.ts'
import { handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { merchants } from '../world.ts'

/** Accounts that have no secret yet: those of texts and letters come from the settings of the server. */
const accounts = [
  {
    channelType: 'app_push',
    accountName: 'App notices',
    vendorEndpoint: 'https://push.vendor.example',
    unitCost: '0.00',
  },
  {
    channelType: 'whatsapp',
    accountName: 'WhatsApp business',
    vendorEndpoint: 'https://wa.vendor.example',
    unitCost: '60.00',
  },
  {
    channelType: 'voice',
    accountName: 'Voice codes',
    vendorEndpoint: 'https://voice.vendor.example',
    unitCost: '120.00',
  },
]

/** A vendor with a protocol of its own in JSON, as an account describes it; it has no secret yet. */
const ofJson = {
  ...{ channelType: 'sms', messageVendor: 'http', accountName: 'Rwenzori Text', senderId: 'NILECREDIT' },
  ...{ vendorEndpoint: 'https://api.rwenzori.example/v2/texts', unitCost: '31.00', lowBalance: '50000.00' },
  ...{ httpAuth: 'signature', requestTemplate: '{"to":"<to>","from":"<from>","text":"<text>","ref":"<reference>"}' },
  vendorPaths: [
    { vendorPart: 'answer_id', vendorPath: 'message.id' },
    { vendorPart: 'answer_status', vendorPath: 'result' },
    { vendorPart: 'report_id', vendorPath: 'message.id' },
    { vendorPart: 'report_status', vendorPath: 'message.state' },
  ],
  vendorWords: [
    { vendorWord: 'OK', wordMeaning: 'accepted' },
    { vendorWord: 'BAD_NUMBER', wordMeaning: 'invalid_phone' },
    { vendorWord: 'NO_CREDIT', wordMeaning: 'balance' },
    { vendorWord: 'DELIVERED', wordMeaning: 'delivered' },
    { vendorWord: 'UNDELIVERED', wordMeaning: 'inactive' },
  ],
}

/** Apps of the message center and accounts of the channels to come. */
export const writeMessageCenter = async (tx: Tx): Promise<void> => {
  const vendor = { send: async () => ({ is: 'later' as const, reason: 'demo' }), parseReport: () => null }
  const mail = { vendorName: 'mail-sim', senderId: 'no-reply@nilecredit.example', send: vendor.send }
  await registerAccounts(tx, { vendors: { mail, sms: demoAccounts.map(one => ({ ...one, vendor })) } })
  const hand = handFor([messageCenterModule({ secretKey: Buffer.alloc(32), demo: true })])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  for (const account of accounts) {
    const limits = { messageVendor: 'other', senderId: 'NILECREDIT', lowBalance: '0.00' }
    await hand.call(tx, boss, messageAccount.save, { ...account, ...limits } as InputOf<typeof messageAccount.save>)
  }
  await hand.call(tx, boss, messageAccount.save, ofJson as InputOf<typeof messageAccount.save>)
  for (const [n, { merchantNo, appName }] of merchants.slice(0, 3).entries()) {
    const input = {
      ...{
        appCode: appName,
        appName,
        merchantNos: [merchantNo],
        appChannels: [{ channelType: 'sms' }, { channelType: 'phone_sms' }],
      },
      ...{ defaultLanguage: n === 2 ? 'sw' : 'en', quietFrom: n === 1 ? '19:00' : '20:00', quietUntil: '08:00' },
    }
    const { key } = await hand.call(tx, boss, messageApp.save, input as InputOf<typeof messageApp.save>)
    await tx.flush()
    if (n < 2) {
      const state = { messageAppNo: String(key), enabled: true, version: 0 } as InputOf<typeof messageApp.state>
      await hand.call(tx, boss, messageApp.state, state)
    }
  }
}
