import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { demoPassword as password } from '../../../demo/accounts.ts'
import { demoCodeAt } from '../../../demo/authenticators.ts'
import { type Kit, openKit } from '../../../testing/kit.ts'
import { selfModule } from './self.ts'

const { user } = contract

let kit: Kit
beforeAll(async () => {
  kit = await openKit({ modules: [selfModule({ demo: true })] })
})
afterAll(() => kit.close())

describe('before anybody has signed in', () => {
  it('offers the demo accounts of a demo, with posts in the language asked for', async () => {
    const { data } = await kit.call(user.demoAccounts, {}, { language: 'sw' })
    expect(data.list[0]).toEqual({ loginId: 'admin', realName: 'Grace Nakato', post: 'Msimamizi wa mfumo', password })
    expect(data.list.map(one => one.loginId)).toContain('left1')
    expect(data.mfa).toEqual(demoCodeAt(kit.clock.now()))
  })

  it('offers none elsewhere', async () => {
    const other = await openKit({ modules: [selfModule({ demo: false })] })
    expect((await other.call(user.demoAccounts, {})).data).toEqual({ list: [], mfa: null, messages: null })
    await other.close()
  })

  it('names each language in itself', async () => {
    expect((await kit.call(user.languages, {})).data.list).toEqual([
      { code: 'zh', name: '中文', sort: 1, isDefault: true },
      { code: 'en', name: 'English', sort: 2, isDefault: false },
      { code: 'sw', name: 'Kiswahili', sort: 3, isDefault: false },
    ])
  })
})
