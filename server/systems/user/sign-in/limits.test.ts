import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { hashPassword } from '../../../session/password.ts'
import { openKit, type Person } from '../../../testing/kit.ts'
import { asks, signedIn } from '../../../testing/sign-in.ts'
import { signInModule } from './sign-in.ts'

const { signIn } = contract
const password = 'Nile-Boat-47'
const passwordHash = await hashPassword(password)
const browser = { 'user-agent': 'Browser A' }
const loginOf = (person: Person) => `login.${person.userNo}`

describe('limits', () => {
  const wrong = (n: number) => Array.from({ length: n }, (_, index) => `nobody.${index}`)

  it('let others begin while one client has begun too often', async () => {
    const other = await openKit({
      modules: [signInModule({ secretKey: Buffer.alloc(32) })],
      trustedProxies: ['10.0.0.0/8'],
    })
    const begin = (p: { username?: string; client?: string; browser?: string; from?: string }) =>
      other.call(signIn.challenge, p.username ? { username: p.username } : {}, {
        from: p.from ?? '10.0.0.1',
        headers: { 'x-forwarded-for': p.client ?? '203.0.113.9', 'user-agent': p.browser ?? 'Browser A' },
      })
    for (let n = 0; n < 30; n++) expect((await begin({})).code).toBe(0)
    expect((await begin({})).code).toBe(42901)
    expect((await begin({ browser: 'Browser B' })).code).toBe(0)
    expect((await begin({ username: 'grace' })).code).toBe(0)
    expect((await begin({ client: '203.0.113.10' })).code).toBe(0)
    expect((await begin({ from: '198.51.100.1' })).code).toBe(0)
    await other.close()
  })

  it('A2, A3: shut an address that tries many names, but not those who work there', async () => {
    const other = await openKit({ modules: [signInModule({ secretKey: Buffer.alloc(32) }, { failures: 3 })] })
    const [grace, newcomer] = [await other.person({ perms: [] }), await other.person({ perms: [] })]
    await other.db.withTx(tx => tx.exec(sql`update app_user set password_hash = ${passwordHash}`))
    const signInFrom = async (from: string, username: string, given = password) => {
      const { code } = await asks(other, { username, password: given }, { from, headers: browser })
      return { code }
    }
    const office = '203.0.113.9'
    await signedIn(other, { username: loginOf(grace), password }, { from: office, headers: browser })
    for (const name of wrong(3)) expect((await signInFrom(office, name)).code).toBe(40001)
    expect((await signInFrom(office, 'nobody.more')).code).toBe(42901)
    expect((await signInFrom(office, loginOf(newcomer))).code).toBe(42901)
    expect((await signInFrom(office, loginOf(grace))).code).toBe(0)
    expect((await signInFrom('203.0.113.10', loginOf(newcomer))).code).toBe(0)
    await other.close()
  })
})

it('keeps the address behind a trusted proxy in session and audit log', async () => {
  const other = await openKit({
    modules: [signInModule({ secretKey: Buffer.alloc(32) })],
    trustedProxies: ['10.0.0.1'],
  })
  const grace = await other.person({ perms: [] })
  await other.db.withTx(tx => tx.exec(sql`update app_user set password_hash = ${passwordHash}`))
  const o = { from: '10.0.0.1', headers: { ...browser, 'x-forwarded-for': '1.1.1.1, 203.0.113.9' } }
  await signedIn(other, { username: loginOf(grace), password }, o)
  const kept = await other.db.read(tx =>
    tx.rows(sql<object>`
      select ip from session where ip is not null union all select last_login_ip from app_user where last_login_ip is not null
      union all select ip from audit_log where action = 'user.login'`),
  )
  expect(kept).toEqual([{ ip: '203.0.113.9' }, { ip: '203.0.113.9' }, { ip: '203.0.113.9' }])
  await other.close()
})
