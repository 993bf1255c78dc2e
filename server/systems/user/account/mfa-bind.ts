import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { mfa, type Offer } from '../../../../core/contract/user/mfa.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, stateConflict } from '../../../http/fault.ts'
import { type Served, serve, serveWork } from '../../../http/serve.ts'
import type { Scheduled } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { isOwn, refuseWrong, tryOwn } from '../../../session/own-password.ts'
import { recoveryLeft, recoveryOf } from '../../../session/recovery.ts'
import { addressOf, stepOf, toBase32 } from '../../../session/totp.ts'
import { create, requireEvent, transition } from '../../../states/transition.ts'
import { type Binding, lockBinding, mfaSealer, noteOwn, type Owner } from './mfa-store.ts'

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

type Sealers = { sealer: ReturnType<typeof mfaSealer>; recovery: ReturnType<typeof recoveryOf> }

/** A new secret, as it is shown and as it is kept. */
const drawing =
  ({ sealer }: Sealers) =>
  ({ tx, session }: Owner, left: number) => {
    const secret = randomBytes(secretBytes)
    const until = new Date(tx.now.getTime() + qrMinutes * 60_000).toISOString()
    const secretText = toBase32(secret)
    const offer: Offer = {
      secretText,
      otpauthUrl: addressOf(secret, { issuer, account: session.loginId }),
      expireTime: until,
      secondsLeft: qrMinutes * 60,
      refreshLeft: left,
    }
    const sealedSecret = sealer.seal(secret, session.userNo)
    return { offer, set: { sealedSecret, qrUntil: until, qrLeft: left, bindTries: 0, lastStep: 0 } }
  }

/** Draws a secret, or another one. */
const beginning = (sealers: Sealers) => {
  const drawn = drawing(sealers)
  const begin = async (owner: Owner): Promise<Offer> => {
    const { tx, session, actor } = owner
    if (!(await lockBinding(tx, session.userNo)))
      await create(tx, 'mfa', { userNo: session.userNo }, { event: 'user.add' }, system('mfa.start'))
    const held = (await lockBinding(tx, session.userNo)) as Binding
    const row = held.mfaStatus === 'binding' ? await forget(tx, held) : held
    const { offer, set } = drawn(owner, qrRefreshes)
    await transition(tx, 'mfa', row, { event: 'bind.start', set }, actor)
    noteOwn(owner, 'user.mfaStart')
    return offer
  }

  const again = async (owner: Owner): Promise<Offer> => {
    const { tx, session, actor } = owner
    const row = await lockBinding(tx, session.userNo)
    if (!row) throw stateConflict('unbound', 'MFA_STATUS')
    requireEvent('mfa', row.mfaStatus, 'qr.refresh')
    if (isOver(tx, row)) throw new Fault('stateConflict', 'errors.mfaTimeUp')
    if (row.qrLeft === 0) throw new Fault('quota', 'errors.mfaRefreshes', { max: qrRefreshes })
    const { offer, set } = drawn(owner, row.qrLeft - 1)
    await transition(tx, 'mfa', row, { event: 'qr.refresh', set }, actor)
    noteOwn(owner, 'user.mfaRefresh')
    return offer
  }

  return { begin, again }
}

const refused = async (owner: Owner, row: Binding): Promise<Fault> => {
  const { tx, actor } = owner
  const bindTries = row.bindTries + 1
  const counted = await transition(tx, 'mfa', row, { event: 'bind.confirm', as: 'wrong', set: { bindTries } }, actor)
  noteOwn(owner, 'user.mfaConfirmFailed')
  if (bindTries >= triesAllowed) {
    await forget(tx, counted)
    return new Fault('stateConflict', 'errors.mfaTries')
  }
  const params = { n: triesAllowed - bindTries }
  return new Fault('validation', 'validation.codeWrong', params, {
    fields: [{ path: 'code', key: 'validation.codeWrong', params }],
  })
}

/** Answers the recovery codes, or the refusal that must be answered, not thrown, so that the wrong try counts. */
const confirming =
  ({ sealer, recovery }: Sealers) =>
  async (owner: Owner, code: string): Promise<string[] | Fault> => {
    const { tx, session, actor } = owner
    const row = await lockBinding(tx, session.userNo)
    if (!row || row.sealedSecret === null) throw stateConflict(row?.mfaStatus ?? 'unbound', 'MFA_STATUS')
    requireEvent('mfa', row.mfaStatus, 'bind.confirm')
    if (isOver(tx, row)) throw new Fault('stateConflict', 'errors.mfaTimeUp')
    const step = stepOf(sealer.open(row.sealedSecret, row.userNo), code, tx.now, 0)
    if (typeof step !== 'number') return refused(owner, row)
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
    noteOwn(owner, 'user.mfaBound')
    return recovery.renew(tx, session.userNo)
  }

/** The steps in which an authenticator is bound: a secret is drawn, drawn again, and confirmed by its first code. */
export const binderOf = (secretKey: Buffer) => {
  const sealers: Sealers = { sealer: mfaSealer(secretKey), recovery: recoveryOf(secretKey) }
  return { ...beginning(sealers), confirm: confirming(sealers) }
}

/** Binding an authenticator to the own account, with the password asked for again. */
export const bindServed = (secretKey: Buffer): Served[] => {
  const binder = binderOf(secretKey)
  const start = serveWork(mfa.start, {
    before: call => tryOwn(call, call.input.password),
    work: async own => ({ own, isRight: await isOwn(own) }),
    after: async (call, { own, isRight }) =>
      (await refuseWrong(call, own, { field: 'password', isRight })) ?? binder.begin(call),
  })
  const refresh = serve(mfa.refresh, binder.again)
  const confirm = serve(mfa.confirm, async call => {
    const done = await binder.confirm(call, call.input.code)
    return done instanceof Fault ? done : { recoveryCodes: done }
  })
  return [mine, start, refresh, confirm]
}
