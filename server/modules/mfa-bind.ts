import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { mfa, type Offer } from '../../core/contract/mfa.ts'
import { system } from '../actor.ts'
import type { Tx } from '../db/database.ts'
import { Fault, stateConflict } from '../fault.ts'
import type { Scheduled } from '../module.ts'
import { refuseWrongPassword } from '../own-password.ts'
import { recoveryLeft, recoveryOf } from '../recovery.ts'
import { type Call, type Served, serve } from '../serve.ts'
import { stepOf, toBase32 } from '../totp.ts'
import { create, transition } from '../transition.ts'
import { type Binding, lockBinding, mfaSealer, noteOwn } from './mfa-store.ts'

const secretBytes = 20
const qrMinutes = 10
const qrRefreshes = 5
const triesAllowed = 5
const issuer = 'Mkopo'
/** For so long the authenticator that follows one that was taken away moves no money. */
const sleepHours = 24

const nothing = { sealedSecret: null, qrUntil: null, qrLeft: 0, bindTries: 0 }

/** Forgets a secret that was drawn and not confirmed. */
const forget = (tx: Tx, row: Binding): Promise<Binding> =>
  transition(tx, 'mfa', row, { event: 'clock.ttl', set: nothing }, system('mfa.ttl'))

const isOver = (tx: Tx, { qrUntil }: Binding): boolean => qrUntil === null || Date.parse(qrUntil) <= tx.now.getTime()

/** Secrets that nobody confirmed in time. */
export const bindingExpiry: Scheduled = {
  job: 'mfa.ttl',
  every: { seconds: 60 },
  run: async tx => {
    const rows = await tx.rows(sql<Binding>`
      select * from user_mfa where mfa_status = 'binding' and qr_until <= ${tx.now} order by user_no limit 500 for update skip locked`)
    for (const row of rows) await forget(tx, row)
    return { forgotten: rows.length }
  },
}

const mine = serve(mfa.mine, async ({ tx, session: { userNo } }) => {
  const row = await tx.maybe(sql<Binding>`select * from user_mfa where user_no = ${userNo}`)
  const sleeps = row?.moneyFrom && Date.parse(row.moneyFrom) > tx.now.getTime()
  return {
    mfaStatus: (row?.mfaStatus ?? 'unbound') as 'unbound',
    boundTime: row?.mfaStatus === 'bound' ? row.boundTime : null,
    recoveryLeft: await recoveryLeft(tx, userNo),
    moneyFrom: sleeps ? row.moneyFrom : null,
  }
})

/** Binding an authenticator to the own account: a secret is drawn, and its first code confirms it. */
export const bindServed = (secretKey: Buffer): Served[] => {
  const sealer = mfaSealer(secretKey)
  const recovery = recoveryOf(secretKey)

  const drawn = (call: Pick<Call, 'tx' | 'session'>, left: number) => {
    const { tx, session } = call
    const secret = randomBytes(secretBytes)
    const until = new Date(tx.now.getTime() + qrMinutes * 60_000).toISOString()
    const secretText = toBase32(secret)
    const label = encodeURIComponent(`${issuer}:${session.loginId}`)
    const offer: Offer = {
      secretText,
      otpauthUrl: `otpauth://totp/${label}?secret=${secretText}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`,
      expireTime: until,
      secondsLeft: qrMinutes * 60,
      refreshLeft: left,
    }
    const sealedSecret = sealer.seal(secret, session.userNo)
    return { offer, set: { sealedSecret, qrUntil: until, qrLeft: left, bindTries: 0, lastStep: 0 } }
  }

  const start = serve(mfa.start, async call => {
    const { tx, session, input, actor } = call
    const { passwordHash } = await tx.one(
      sql<{ passwordHash: string }>`select password_hash from app_user where user_no = ${session.userNo} for update`,
    )
    const wrong = await refuseWrongPassword(call, { field: 'password', given: input.password, hash: passwordHash })
    if (wrong) return wrong
    if (!(await lockBinding(tx, session.userNo)))
      await create(tx, 'mfa', { userNo: session.userNo }, { event: 'user.add' }, system('mfa.start'))
    const held = (await lockBinding(tx, session.userNo)) as Binding
    const row = held.mfaStatus === 'binding' ? await forget(tx, held) : held
    const { offer, set } = drawn(call, qrRefreshes)
    await transition(tx, 'mfa', row, { event: 'bind.start', set }, actor)
    noteOwn(call, 'user.mfaStart')
    return offer
  })

  const refresh = serve(mfa.refresh, async call => {
    const { tx, session, actor } = call
    const row = await lockBinding(tx, session.userNo)
    if (row?.mfaStatus !== 'binding') throw stateConflict(row?.mfaStatus ?? 'unbound', 'MFA_STATUS')
    if (isOver(tx, row)) throw new Fault('stateConflict', 'errors.mfaTimeUp')
    if (row.qrLeft === 0) throw new Fault('quota', 'errors.mfaRefreshes', { max: qrRefreshes })
    const { offer, set } = drawn(call, row.qrLeft - 1)
    await transition(tx, 'mfa', row, { event: 'qr.refresh', set }, actor)
    noteOwn(call, 'user.mfaRefresh')
    return offer
  })

  const refused = async (call: Call, row: Binding): Promise<Fault> => {
    const { tx, actor } = call
    const bindTries = row.bindTries + 1
    const counted = await transition(tx, 'mfa', row, { event: 'bind.confirm', as: 'wrong', set: { bindTries } }, actor)
    noteOwn(call, 'user.mfaConfirmFailed')
    if (bindTries >= triesAllowed) {
      await forget(tx, counted)
      return new Fault('stateConflict', 'errors.mfaTries')
    }
    const params = { n: triesAllowed - bindTries }
    return new Fault('validation', 'validation.codeWrong', params, {
      fields: [{ path: 'code', key: 'validation.codeWrong', params }],
    })
  }

  const confirm = serve(mfa.confirm, async call => {
    const { tx, session, input, actor } = call
    const row = await lockBinding(tx, session.userNo)
    if (row?.mfaStatus !== 'binding' || row.sealedSecret === null)
      throw stateConflict(row?.mfaStatus ?? 'unbound', 'MFA_STATUS')
    if (isOver(tx, row)) throw new Fault('stateConflict', 'errors.mfaTimeUp')
    const step = stepOf(sealer.open(row.sealedSecret, row.userNo), input.code, tx.now, 0)
    if (typeof step !== 'number') return refused(call, row)
    const moneyFrom = row.resetTime ? new Date(tx.now.getTime() + sleepHours * 3_600_000) : null
    const set = {
      ...nothing,
      sealedSecret: row.sealedSecret,
      boundTime: tx.now,
      lastStep: step,
      resetTime: null,
      moneyFrom,
    }
    await transition(tx, 'mfa', row, { event: 'bind.confirm', as: 'right', set }, actor)
    noteOwn(call, 'user.mfaBound')
    return { recoveryCodes: await recovery.renew(tx, session.userNo) }
  })

  return [mine, start, refresh, confirm]
}
