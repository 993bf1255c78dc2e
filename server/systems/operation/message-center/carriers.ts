import { sql } from 'kysely'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { africasTalking } from '../../../gateways/texts/africas-talking.ts'
import type { SmsAccount } from '../../../gateways/texts/sms-vendor.ts'
import type { Deps } from '../../../module.ts'
import type { Vendors } from '../../../outgoing/vendors.ts'
import { type Sealer, sealerOf } from '../../../session/seal.ts'

/** The account of letters, whose secret stands in the settings of the server. */
export const mailAccountNo = 'mail'

type Stored = {
  accountNo: string
  accountName: string
  channelType: string
  senderId: string
  vendorEndpoint: string
  vendorUser: string | null
  credential: string | null
  reportSecret: string | null
  opens: boolean
}
export type Access = Pick<Stored, 'accountNo' | 'accountName' | 'senderId' | 'vendorEndpoint'> & {
  vendorUser: string
  secret: string
}

/** Seals the secrets of accounts. */
export const accountSealer = (secretKey: Buffer): Sealer => sealerOf(secretKey, 'message account')

const withScheme = (endpoint: string) =>
  endpoint.includes('://') ? endpoint.replace(/\/+$/, '') : `http://${endpoint}`

/** An account as it is reached with a secret. */
export const reached = (of: Access): Pick<SmsAccount, 'vendor'> => ({
  vendor: africasTalking({ baseUrl: withScheme(of.vendorEndpoint), username: of.vendorUser, apiKey: of.secret }),
})

/** Accounts `x` that take one more message now: enabled, and below what they may carry a day. */
const opens = (tx: Tx) => sql`(x.enabled = 'enabled' and (x.texts_a_day is null or x.texts_a_day > (
  select count(*) from message m where m.account_no = x.account_no and m.send_time >= ${startOfEatDay(tx.today)})))`

/**
 * What carries messages as the records say: those that are open now, or all of them where a vendor reports of what it took. An account of
 * the settings that has no record yet carries as before.
 */
export const carriersOf = ({ vendors, secretKey }: Pick<Deps, 'vendors' | 'secretKey'>) => {
  const sealer = accountSealer(secretKey)
  const opened = (row: Stored): SmsAccount | undefined => {
    const { accountNo, accountName: vendorName, senderId, vendorUser, credential, reportSecret } = row
    const given = vendors?.sms.find(one => one.accountNo === accountNo)
    if (credential === null || vendorUser === null) return given && { ...given, senderId }
    const secret = sealer.open(credential, accountNo).toString()
    const heard = reportSecret ?? given?.reportSecret
    return {
      accountNo,
      vendorName,
      senderId,
      ...(heard ? { reportSecret: heard } : {}),
      ...reached({ ...row, vendorUser, secret }),
    }
  }
  return async (tx: Tx, { all = false }: { all?: boolean } = {}): Promise<Vendors> => {
    const rows = await tx.rows(sql<Stored>`
      select x.account_no, x.account_name, x.channel_type, x.sender_id, x.vendor_endpoint, x.vendor_user, x.credential, x.report_secret, ${opens(tx)} as opens
      from message_account x where x.deleted_time is null and x.channel_type <> 'phone_sms' order by not x.from_server, x.account_no`)
    const known = new Set(rows.map(({ accountNo }) => accountNo))
    const own = rows.filter(one => one.channelType === 'sms' && (all || one.opens)).flatMap(one => opened(one) ?? [])
    const mail = rows.find(({ accountNo }) => accountNo === mailAccountNo)
    return {
      mail: mail && !mail.opens ? null : (vendors?.mail ?? null),
      others: (vendors?.others ?? []).filter(({ accountNo }) => {
        const record = rows.find(one => one.accountNo === accountNo)
        return all || !record || record.opens
      }),
      sms: [...own, ...(vendors?.sms ?? []).filter(({ accountNo }) => !known.has(accountNo))],
    }
  }
}
