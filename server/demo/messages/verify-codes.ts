import { sql } from 'kysely'
import { networkOf } from '../../../core/rules/text/network.ts'
import type { Tx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import { newNo } from '../../money/numbers.ts'
import type { Message } from '../../outgoing/post.ts'
import { system } from '../../rights/actor.ts'
import { create, transition } from '../../states/transition.ts'
import { codeMinutes, type VerifyCode } from '../../systems/operation/verify-code/index.ts'
import { at } from '../hand.ts'
import { type Random, randomFrom } from '../random.ts'
import { merchants } from '../world.ts'

const minute = 60_000
const day = 24 * 60 * minute
const howMany = 500
const days = 3
const scenes = [
  'login',
  'login',
  'login',
  'register',
  'register',
  'withdraw',
  'bind_account',
  'reset_password',
] as const
const vendors = [
  { accountNo: 'sms-1', vendorName: 'Nile Text', senderId: 'NILECREDIT' },
  { accountNo: 'sms-2', vendorName: 'Lake SMS', senderId: 'NILECREDIT' },
] as const
const prefixes = ['256772', '256782', '256762', '256701', '256752', '256742']
const actor = system('demo verify codes')

/** What became of a text: on Airtel numbers the first vendor loses many this morning. */
type Fate = 'delivered' | 'failed' | 'silent'
type Plan = { when: number; phone: string; vendor: (typeof vendors)[number]; fate: Fate; used: boolean }

const fateOf = (random: Random, isDegraded: boolean): Fate => {
  const luck = random.next()
  if (isDegraded) return luck < 0.35 ? 'delivered' : luck < 0.6 ? 'failed' : 'silent'
  return luck < 0.96 ? 'delivered' : luck < 0.98 ? 'failed' : 'silent'
}

const planned = (random: Random, now: number): Plan[] => {
  const spread = Array.from({ length: howMany - 5 }, (_, n) => {
    // Every third one came today, so that the last hour shows something at any time of the day.
    const back = n % 3 === 0 ? random.int(11, 360) * minute : random.int(360, days * 24 * 60) * minute
    const phone = `${random.pick(prefixes)}${String(random.int(100_000, 999_999))}`
    const vendor = random.chance(0.72) ? vendors[0] : vendors[1]
    const isDegraded = back < 240 * minute && vendor === vendors[0] && networkOf(phone) === 'airtel'
    const fate = fateOf(random, isDegraded)
    return { when: now - back, phone, vendor, fate, used: fate === 'delivered' && random.chance(0.92) }
  })
  // Somebody who gets no code and asks again and again, up to the limit of the hour.
  const stuck = Array.from({ length: 5 }, (_, n): Plan => {
    const fate = n % 2 ? 'failed' : 'silent'
    return { when: now - (50 - n * 9) * minute, phone: '256752318446', vendor: vendors[0], fate, used: false }
  })
  return [...spread, ...stuck].filter(one => one.when > now - days * day).sort((a, b) => a.when - b.when)
}

/** The text of a code, as its vendor took it and reported on it. */
const writeText = async (tx: Tx, codeNo: string, { when, phone, vendor, fate }: Plan, random: Random) => {
  const then = at(tx, new Date(when))
  const messageNo = newNo('MS', then.now)
  const values = {
    ...{ messageNo, channelType: 'sms', template: 'code', language: 'en', params: json({ life: codeMinutes }) },
    ...{ recipient: phone, network: networkOf(phone), objectType: 'verifyCode', objectNo: codeNo },
    ...{ ...vendor, segments: 1, tries: 1, createdTime: then.now, begunTime: then.now, sendTime: then.now },
  }
  await create(then, 'message', values, { event: 'msg.queue', as: 'queued' }, actor)
  const read = () => tx.one(sql<Message>`select * from message where message_no = ${messageNo}`)
  const taken = { vendorRef: `ATXid_demo${messageNo}`, cost: '35.00' }
  const sent = await transition(then, 'message', await read(), { event: 'msg.send', as: 'accepted', set: taken }, actor)
  if (fate === 'silent') return messageNo
  const deliverySeconds = random.int(3, 19)
  const later = at(tx, new Date(when + deliverySeconds * 1000))
  const done = { deliverTime: later.now, deliverySeconds }
  const move =
    fate === 'delivered'
      ? { event: 'msg.report', as: 'delivered', set: done }
      : { event: 'msg.report', as: 'failed', set: { failReason: random.chance(0.7) ? 'inactive' : 'vendor_error' } }
  await transition(later, 'message', sent, move, actor)
  return messageNo
}

/** Three days of codes by two vendors, one of which loses many texts on one network this morning, and a phone at its limit. */
export const writeVerifyCodes = async (tx: Tx): Promise<void> => {
  const random = randomFrom(20261124)
  for (const plan of planned(random, tx.now.getTime())) {
    const { when, phone } = plan
    const then = at(tx, new Date(when))
    const codeNo = newNo('VC', then.now)
    const messageNo = await writeText(tx, codeNo, plan, random)
    const merchant = random.pick(merchants)
    const values = {
      ...{ codeNo, scene: random.pick(scenes), merchantNo: merchant.merchantNo, appCode: merchant.appName },
      ...{ channelType: 'sms', phone, network: networkOf(phone), codeHash: 'demo', language: 'en', messageNo },
      ...{ ip: `41.210.${random.int(128, 191)}.${random.int(1, 254)}`, sendTime: then.now },
      ...{ expiresTime: new Date(when + codeMinutes * minute) },
    }
    await create(then, 'verificationCode', values, { event: 'code.send' }, actor)
    const code = await tx.one(sql<VerifyCode>`select * from verify_code where code_no = ${codeNo}`)
    const usedTime = new Date(when + random.int(20, 120) * 1000)
    if (plan.used)
      await transition(
        at(tx, usedTime),
        'verificationCode',
        code,
        { event: 'code.verify', as: 'right', set: { usedTime } },
        actor,
      )
    else if (when + codeMinutes * minute < tx.now.getTime())
      await transition(
        at(tx, new Date(when + codeMinutes * minute)),
        'verificationCode',
        code,
        { event: 'clock.ttl' },
        actor,
      )
  }
}

/** People of the shop in Kampala show a code by e-mail or text after their password. */
export const writeSignInPolicy = (tx: Tx): Promise<number> =>
  tx.exec(sql`
    insert into business_config (config_key, config_value) values ('SIGN_IN_POLICY', ${json({ slide: 'after_failures', codeFor: ['O1'] })})
    on conflict (config_key) do update set config_value = excluded.config_value`)
