import { sql } from 'kysely'
import { verifyCode } from '../../../../core/contract/operation/verify-code.ts'
import { blocks } from '../../../approval/blocks.ts'
import { Fault } from '../../../http/fault.ts'
import type { Vendors } from '../../../outgoing/vendors.ts'
import { limitsOf } from './limits.ts'
import { nextAccount } from './source.ts'

type Facts = {
  codeNo: string
  codeStatus: string
  phone: string | null
  live: boolean
  sentInHour: number
  perHour: number
  lifted: boolean
  liftedToday: boolean
  next: string | null
}

const refused = (key: ConstructorParameters<typeof Fault>[1], params = {}) => new Fault('stateConflict', key, params)

/** Why a code is not sent once more, and why the limit of its phone is not lifted. */
export const codeBlocks = (vendors: Vendors) =>
  blocks<Facts>({
    read: async (tx, keys) => {
      const { perHour } = await limitsOf(tx)
      const rows = await tx.rows(sql<Facts>`
        select v.code_no, v.code_status, v.phone, ${perHour}::int as per_hour, ${nextAccount(vendors, 'accountNo')} as next,
          exists (select 1 from login_challenge c where c.challenge_id = v.challenge_id and c.challenge_status = 'pwd_code' and c.expires_time > ${tx.now}) as live,
          (select count(*)::int from verify_code o where o.phone = v.phone and o.send_time > ${new Date(tx.now.getTime() - 3_600_000)}) as sent_in_hour,
          exists (select 1 from verify_code_lift l where l.phone = v.phone and l.until_time > ${tx.now}) as lifted,
          exists (select 1 from verify_code_lift l where l.phone = v.phone and l.business_date = ${tx.today}) as lifted_today
        from verify_code v left join message m on m.message_no = v.message_no where v.code_no = any(${[...keys]})`)
      return new Map(rows.map(row => [row.codeNo, row]))
    },
    states: row => ({ verificationCode: row.codeStatus as never }),
    commands: [
      {
        command: verifyCode.resend,
        refuses: row => {
          if (row.codeStatus !== 'sent') return null
          if (!row.live) return refused('errors.codeRequestOver')
          if (!row.lifted && row.sentInHour >= row.perHour) return refused('errors.codeHourFull', { n: row.perHour })
          return row.next ? null : refused('errors.noOtherRoute')
        },
      },
      {
        command: verifyCode.unlock,
        refuses: row => {
          if (row.phone === null) return refused('errors.codeByMail')
          if (row.liftedToday) return refused('errors.liftedToday')
          return row.sentInHour >= row.perHour ? null : refused('errors.notAtLimit', { n: row.perHour })
        },
      },
    ],
  })
