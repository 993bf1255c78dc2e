import { sql } from 'kysely'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { SmsAccount } from '../../../gateways/texts/sms-vendor.ts'
import type { Deps } from '../../../module.ts'
import type { Vendors } from '../../../outgoing/vendors.ts'
import { type Sealer, sealerOf } from '../../../session/seal.ts'
import { type Kind, vendorOf } from './vendor-kinds.ts'

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
} & Kind

type Outside = Pick<Deps, 'vendors' | 'secretKey' | 'lines'> & { demo?: boolean }

/** Seals the secrets of accounts. */
export const accountSealer = (secretKey: Buffer): Sealer => sealerOf(secretKey, 'message account')

/** Accounts `x` that take one more message now: enabled, and below what they may carry a day. */
const opens = (
  tx: Tx,
) => sql`(x.enabled = 'enabled' and (x.texts_a_day is null or x.texts_a_day > (select count(*) from (
  select 1 from message m where m.account_no = x.account_no and m.send_time >= ${startOfEatDay(tx.today)} limit x.texts_a_day) m)))`

/**
 * What carries messages as the records say: those that are open now, or all of them where a vendor reports of what it took. An account of
 * the settings that has no record yet carries as before.
 */
export const carriersOf = ({ vendors, secretKey, demo = false, lines }: Outside) => {
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
      vendor: vendorOf({ ...row, vendorUser, secret }, { demo, ...(lines ? { lines } : {}) }),
    }
  }
  return async (tx: Tx, { all = false }: { all?: boolean } = {}): Promise<Vendors> => {
    const rows = await tx.rows(sql<Stored>`
      select x.account_no, x.account_name, x.channel_type, x.sender_id, x.vendor_endpoint, x.vendor_user, x.credential, x.report_secret, x.message_vendor, x.over_tls,
        x.http_auth, x.request_template, x.vendor_paths, x.vendor_words, ${opens(tx)} as opens
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

/** Reports come for two days. */
const heardMs = 48 * 3_600_000

/** Accounts by SMPP on whose lines something may come: those that are on, and those that were until lately. */
export const heldAccounts = async (tx: Tx): Promise<string[]> => {
  const since = new Date(tx.now.getTime() - heardMs)
  const rows = await tx.rows(sql<{ accountNo: string }>`
    select account_no from message_account where message_vendor = 'smpp' and deleted_time is null and (credential is not null or from_server)
      and (enabled = 'enabled' or updated_time > ${since}) order by account_no`)
  return rows.map(({ accountNo }) => accountNo)
}
