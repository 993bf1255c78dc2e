import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import { system } from '../rights/actor.ts'
import { hashPassword } from '../session/password.ts'
import { writePerson } from '../session/person.ts'
import { hashToken } from '../session/session.ts'
import { mfaModule } from '../systems/user/account/mfa.ts'
import { type Kit, openKit } from '../testing/kit.ts'
import { bindDemo, demoCodeAt, demoSecret } from './authenticators.ts'
import { userNoOf } from './staff.ts'

const secretKey = Buffer.from('a key of this installation, kept well')
const people = ['finance2', 'newbie']
let kit: Kit
beforeAll(async () => {
  kit = await openKit({ modules: [mfaModule({ secretKey })] })
  const passwordHash = await hashPassword('Nile-Boat-47')
  await kit.db.withTx(async tx => {
    for (const loginId of people) {
      const userNo = userNoOf(loginId)
      const names = { loginId, userName: loginId, realName: loginId }
      await writePerson(tx, { userNo, ...names, deptNo: 'D1', principalMerchantNo: 'M1', passwordHash }, system('test'))
      await tx.exec(sql`
        insert into session (session_no, token_hash, user_no, created_time, last_seen_time)
        values (${`S${userNo}`}, ${hashToken(loginId)}, ${userNo}, ${tx.now}, ${tx.now})`)
    }
  })
  await bindDemo(kit.db, secretKey)
})
afterAll(() => kit.close())

const show = (loginId: string) =>
  kit.call(
    contract.user.stepUp,
    { code: demoCodeAt(kit.clock.now()).code },
    { as: { userNo: userNoOf(loginId), token: loginId } },
  )

it('lets everybody in a demo prove who they are with the code that it shows', async () => {
  expect((await show('finance2')).code).toBe(0)
})

it('leaves a person who has yet to sign in for the first time unbound', async () => {
  expect((await show('newbie')).code).toBe(40301)
})

it('changes nothing when it runs again', async () => {
  const held = () => kit.db.read(tx => tx.rows(sql`select * from user_mfa`))
  const before = await held()
  await bindDemo(kit.db, secretKey)
  expect(await held()).toEqual(before)
  expect(JSON.stringify(before)).not.toContain(demoSecret)
})

it('changes the code every 30 seconds, and says when', () => {
  const { code, secondsLeft } = demoCodeAt(new Date('2026-03-02T07:00:10Z'))
  expect(secondsLeft).toBe(20)
  expect(demoCodeAt(new Date('2026-03-02T07:00:29.999Z'))).toMatchObject({ code, secondsLeft: 1 })
  expect(demoCodeAt(new Date('2026-03-02T07:00:30Z')).code).not.toBe(code)
})
