import { sql } from 'kysely'
import type { Meter } from '../../../../core/contract/merchant/meters.ts'
import type { Tx } from '../../../db/database.ts'
import type { OutgoingHooks } from '../../../outgoing/hooks.ts'

type Used = { meter: Meter; subjectNo: string; merchantNo: string; quantity?: number }

/** Notes one chargeable happening, in the transaction in which it happens; what is noted already counts once. */
export const consume = async (tx: Tx, { meter, subjectNo, merchantNo, quantity = 1 }: Used): Promise<void> => {
  await tx.exec(sql`
    insert into consumption_event (meter, subject_no, merchant_no, quantity, event_time, business_date)
    values (${meter}, ${subjectNo}, ${merchantNo}, ${quantity}, ${tx.now}, ${tx.today}) on conflict (meter, subject_no) do nothing`)
}

/** A text that a vendor took is charged by its parts to the merchant whose customer it is for. */
export const soldTexts: NonNullable<OutgoingHooks['sent']> = async (tx, message) => {
  const { channelType, messageNo, merchantNo, segments } = message
  if (channelType === 'sms' && merchantNo)
    await consume(tx, { meter: 'sms_part', subjectNo: messageNo, merchantNo, quantity: segments ?? 1 })
}
