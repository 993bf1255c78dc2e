import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { type Actor, system } from '../rights/actor.ts'
import { endOfStep, fromBase32, hotp, stepAt } from '../session/totp.ts'
import { create, transition } from '../states/transition.ts'
import { mfaSealer } from '../systems/user/account/mfa-store.ts'
import { people, userNoOf } from './staff.ts'

/** Published, so that anybody can put it into an authenticator app of their own. */
export const demoSecret = 'NILEBOATKAMPALAJINJAGULUMBALE234'

/** What the authenticator of everybody in a demo shows at an instant. */
export const demoCodeAt = (at: Date) => {
  const step = stepAt(at)
  return {
    secret: demoSecret,
    code: hotp(fromBase32(demoSecret), step),
    secondsLeft: Math.ceil((endOfStep(step).getTime() - at.getTime()) / 1000),
  }
}

/** Binds everybody in a demo who has no authenticator to the published secret, but those who have yet to sign in for the first time. */
export const bindDemo = (db: Database, secretKey: Buffer): Promise<void> =>
  db.withTx(async tx => {
    const actor: Actor = system('demo.bind')
    const sealer = mfaSealer(secretKey)
    const bound = await tx.rows(sql<{ userNo: string }>`select user_no from user_mfa`)
    const known = await tx.rows(sql<{ userNo: string }>`select user_no from app_user`)
    const waiting = people
      .filter(person => person.state !== 'initial')
      .map(person => userNoOf(person.loginId))
      .filter(no => known.some(row => row.userNo === no) && !bound.some(row => row.userNo === no))
    for (const userNo of waiting) {
      await create(tx, 'mfa', { userNo }, { event: 'user.add' }, actor)
      const row = { userNo, mfaStatus: 'unbound', version: 0 }
      const sealedSecret = sealer.seal(fromBase32(demoSecret), userNo)
      const started = await transition(tx, 'mfa', row, { event: 'bind.start', set: { sealedSecret } }, actor)
      const confirmed = { event: 'bind.confirm', as: 'right', set: { boundTime: tx.now } }
      await transition(tx, 'mfa', started, confirmed, actor)
    }
  })
