import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { system } from '../../../rights/actor.ts'
import { hotp, stepAt } from '../../../session/totp.ts'
import { create, transition } from '../../../states/transition.ts'
import { done } from '../../../testing/acts.ts'
import { openPartner } from '../../../testing/embedding.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { mfaSealer } from './mfa-store.ts'

const { embed, mfa, session, user } = contract

/** The authenticator of the first person, bound as a sign-in will do it. */
const bound = async (fixture: Fixture): Promise<Buffer> => {
  const [secret, userNo, actor] = [randomBytes(20), fixture.boss.userNo, system('fixture')]
  const sealedSecret = mfaSealer(fixture.secretKey).seal(secret, userNo)
  await fixture.db.withTx(async tx => {
    await create(tx, 'mfa', { userNo }, { event: 'user.add' }, actor)
    const unbound = { userNo, mfaStatus: 'unbound', version: 0 }
    const binding = await transition(tx, 'mfa', unbound, { event: 'bind.start', set: { sealedSecret } }, actor)
    await transition(tx, 'mfa', binding, { event: 'bind.confirm', as: 'right' }, actor)
  })
  return secret
}

const guessed = 'a guessed password ends the session'
const wrongCode = 'a wrong code stands in the audit log'

export default facts({
  machines: {
    embedToken: {
      row: {
        embedTokenNo: 'ET1',
        tokenHash: 'hash-1',
        chainNo: 'ET1',
        partnerNo: 'PG1',
        userNo: 'U1',
        origin: 'https://partner.example',
        widgets: ['mkopo-audit-my-audit'],
        perms: ['audit:self:page'],
        merchantNos: ['M1'],
        issuedTime: '2026-03-02T07:00:00Z',
        expiresTime: '2026-03-02T07:15:00Z',
        refreshUntil: '2026-03-02T15:00:00Z',
      },
      undriven: {
        'nothing changes, and it is not written down': ['active api.call active'],
      },
    },
    mfa: {
      row: { userNo: 'U1' },
      undriven: { 'a second person agrees to it, which its own test does': ['bound mfa.reset unbound'] },
    },
  },
  unguarded: {
    'app_user.password_update_status': 'changing a password',
  },
  around: async tx => {
    await tx.exec(sql`
      insert into app_user (user_no, login_id, user_name, real_name, dept_no, principal_merchant_no, password_hash, created_time)
      values ('U1', 'grace', 'grace', 'Grace', 'D1', 'M1', 'none', '2026-03-02T07:00:00Z')`)
    await tx.exec(sql`
      insert into partner_grant (partner_no, partner_name, client_id, secret_hash, origins, widgets, perms, merchant_nos, created_time)
      values ('PG1', 'Kampala CRM', 'kampala-crm', 'none', '{https://partner.example}', '{}', '{}', '{M1}', '2026-03-02T07:00:00Z')`)
  },
  ways: [
    way('a partner’s page has a token, renews it and loses it', async fixture => {
      const partner = await openPartner(fixture)
      const page = await partner.page(fixture.boss)
      fixture.clock.advance(14 * 60_000)
      fixture.must(await fixture.call(embed.refresh, {}, page))
      await partner.page(fixture.second)
      await done(fixture, embed.revoke, { partnerNo: 'PG1', userNo: fixture.second.userNo })
      await fixture.pass(60)
      await fixture.tick('embed-expire')
    }),
    way('a person shows the code of an authenticator', async fixture => {
      const secret = await bound(fixture)
      await done(fixture, user.stepUp, { code: hotp(secret, stepAt(fixture.clock.now())) })
    }),
  ],
  approvals: [
    {
      action: 'user.resetMfa',
      ask: async fixture => {
        const { userNo } = await fixture.reviewer()
        await fixture.exec(
          sql`insert into user_mfa (user_no, mfa_status, sealed_secret) values (${userNo}, 'bound', 'sealed')`,
        )
        return String((await done(fixture, mfa.reset, { loginId: `login.${userNo}`, reason: 'phone lost' })).approvalNo)
      },
    },
  ],
  calls: [
    { call: user.signOut, about: 'ends the session that calls', ends: true },
    { call: user.stepUp, about: 'proves who calls', remembers: wrongCode, ends: true },
    { call: user.changePwd, about: 'is about the own password', remembers: guessed, ends: true },
    { call: user.handoff, about: 'is about a link of the own menu' },
    { call: session.revokeOthers, about: 'ends the own sessions', ends: true },
    { call: mfa.mine, about: 'is about the own authenticator' },
    { call: mfa.start, about: 'is about the own authenticator', remembers: guessed, ends: true },
    { call: mfa.refresh, about: 'is about the own authenticator', ends: true },
    { call: mfa.confirm, about: 'is about the own authenticator', remembers: wrongCode, ends: true },
    { call: mfa.reset, about: 'is about a person, whose department decides and not a merchant', ends: true },
    { call: embed.handoff, remembers: 'the call uses the code up' },
    { call: embed.refresh, about: 'renews the token that calls' },
    { call: embed.partners, about: 'partners belong to no merchant' },
    { call: embed.revoke, about: 'ends tokens of a partner, which belong to no merchant' },
  ],
})
