import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Language } from '../../../../core/i18n/language.ts'
import { networkOf } from '../../../../core/rules/text/network.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { Fault } from '../../../http/fault.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { newNo } from '../../../money/numbers.ts'
import { messageSealer } from '../../../outgoing/module.ts'
import { post } from '../../../outgoing/post.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { codeText } from '../message-engine/index.ts'
import { isSpent, type Receiver, refusalOf } from './limits.ts'

export type VerifyCode = Selectable<DB['verifyCode']>
export type Scene = 'register' | 'login' | 'reset_password' | 'bind_account' | 'withdraw' | 'staff_login'

/** So long a code is good, and so many wrong ones burn it. */
export const codeMinutes = 10
export const codeTries = 5
/** A text of which no report came by then goes by the next route. */
export const reportSeconds = 30

/** The queue of codes whose report is waited for. */
export const moveQueue = 'verifyCode.move'

/** Who asks for a code, for what, and where it goes. */
export type Asked = {
  scene: Scene
  channel: 'email' | 'phone'
  to: string
  challengeId: string | null
  userNo: string | null
  merchantNo?: string | null
  appCode?: string | null
  language: Language
  ip: string | null
  /** Accounts by which it is not to go. */
  avoid?: readonly string[]
  /** Somebody of the staff sends it: the pause between two codes is not kept. */
  byStaff?: true
}

/** What only the server knows: how codes are hashed, and how their words are sealed until they have arrived. */
const keysOf = (secretKey: Buffer) => {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'verify code', 32))
  return {
    sealer: messageSealer(secretKey),
    hashOf: (codeNo: string, code: string) => createHmac('sha256', key).update(`${codeNo} ${code}`).digest(),
  }
}
type Keys = ReturnType<typeof keysOf>

/** Under which name a merchant's customers know it; staff know the company. */
const brandOf = async (tx: Tx, merchantNo: string | null): Promise<string> =>
  (
    await tx.one(sql<{ brand: string }>`
      select coalesce((select coalesce(brand_name, merchant_name) from merchant where merchant_no = ${merchantNo}), (select min(company_name) from company)) as brand`)
  ).brand

/** Hands the words of a code to the post: the first time, or once more by another route. */
const dispatching =
  ({ sealer }: Keys) =>
  async (tx: Tx, row: VerifyCode, code: string, avoid: readonly string[]): Promise<string> => {
    const channel = row.phone ? ('sms' as const) : ('email' as const)
    const letter = { channel, to: String(row.phone ?? row.email), template: 'code' as const, avoid }
    const about = { userNo: row.userNo, objectType: 'verifyCode', objectNo: row.codeNo }
    const said = { language: row.language as Language, params: { life: codeMinutes }, secrets: { code } }
    const { scene, merchantNo, appCode } = row
    const node = await codeText(tx, { scene, channel, language: said.language, merchantNo, appCode })
    const brand = node && (await brandOf(tx, merchantNo))
    const params = { ...said.params, ...(brand ? { brand } : {}) }
    const messageNo = await post(tx, { ...letter, ...said, params, ...about, ...(node ? { node } : {}) }, sealer)
    await tx.exec(sql`update verify_code set message_no = ${messageNo} where code_no = ${row.codeNo}`)
    if (channel === 'sms') {
      const runAt = new Date(tx.now.getTime() + reportSeconds * 1000)
      await enqueue(tx, moveQueue, `${row.codeNo} ${row.moves}`, { codeNo: row.codeNo, moves: row.moves }, { runAt })
    }
    return messageNo
  }

/** Ends the code that a challenge has, because a newer one is sent. */
const supersede = async (tx: Tx, challengeId: string, actor: Actor): Promise<void> => {
  const live = await tx.maybe(sql<VerifyCode>`
    select * from verify_code where challenge_id = ${challengeId} and code_status = 'sent' for update`)
  if (live) await transition(tx, 'verificationCode', live, { event: 'code.supersede' }, actor)
}

/** Writes a new code, of which only the hash stays. */
const written = async (tx: Tx, { hashOf }: Keys, asked: Asked, to: Receiver, actor: Actor) => {
  const codeNo = newNo('VC', tx.now)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const values = {
    ...{ codeNo, scene: asked.scene, challengeId: asked.challengeId, userNo: asked.userNo },
    ...{ merchantNo: asked.merchantNo ?? null, appCode: asked.appCode ?? null, language: asked.language },
    ...{ channelType: to.phone ? 'sms' : 'email', phone: to.phone, email: to.email, ip: asked.ip },
    ...{ network: to.phone ? networkOf(to.phone) : null, codeHash: hashOf(codeNo, code).toString('base64url') },
    ...{ sendTime: tx.now, expiresTime: new Date(tx.now.getTime() + codeMinutes * 60_000) },
  }
  await create(tx, 'verificationCode', values, { event: 'code.send' }, actor)
  return { row: await tx.one(sql<VerifyCode>`select * from verify_code where code_no = ${codeNo}`), code }
}

/** Sends a new code; the one before it of the same challenge stops working. @returns why none is sent, or the code's row */
const sending = (keys: Keys) => {
  const dispatch = dispatching(keys)
  return async (tx: Tx, asked: Asked, actor: Actor): Promise<Fault | VerifyCode> => {
    const isPhone = asked.channel === 'phone'
    const to: Receiver = { phone: isPhone ? asked.to : null, email: isPhone ? null : asked.to, userNo: asked.userNo }
    const refusal = await refusalOf(tx, to, asked)
    if (refusal) return refusal
    if (asked.scene === 'register' && isPhone && (await isSpent(tx))) return new Fault('quota', 'errors.codeBudget')
    if (asked.challengeId) await supersede(tx, asked.challengeId, actor)
    const { row, code } = await written(tx, keys, asked, to, actor)
    return { ...row, messageNo: await dispatch(tx, row, code, asked.avoid ?? []) }
  }
}

/**
 * Compares a code with that of a challenge; it is good once.
 * @returns `right`, `wrong`, or `none` where there is no code to compare with
 */
const checking =
  ({ hashOf }: Keys) =>
  async (tx: Tx, { challengeId, code }: { challengeId: string; code: string }, actor: Actor) => {
    const row = await tx.maybe(sql<VerifyCode>`
      select * from verify_code where challenge_id = ${challengeId} and code_status = 'sent' and expires_time > ${tx.now} for update`)
    if (!row) return 'none' as const
    const tries = row.tries + 1
    if (!timingSafeEqual(hashOf(row.codeNo, code), Buffer.from(row.codeHash, 'base64url'))) {
      const as = tries < codeTries ? 'wrong' : 'burned'
      await transition(tx, 'verificationCode', row, { event: 'code.verify', as, set: { tries } }, actor)
      return 'wrong' as const
    }
    const set = { usedTime: tx.now }
    await transition(tx, 'verificationCode', row, { event: 'code.verify', as: 'right', set }, actor)
    return 'right' as const
  }

/** Sends codes and compares them. Only a keyed hash of a code is kept; its text lies sealed with its message until it has arrived. */
export const codesOf = (secretKey: Buffer) => {
  const keys = keysOf(secretKey)
  return {
    send: sending(keys),
    check: checking(keys),
    dispatch: dispatching(keys),
    /** The code of a message that is still sealed. */
    sealedCode: (message: { messageNo: string; sealed: string | null }): string | null =>
      message.sealed
        ? (JSON.parse(keys.sealer.open(message.sealed, message.messageNo).toString()) as { code: string }).code
        : null,
  }
}

export type Codes = ReturnType<typeof codesOf>
