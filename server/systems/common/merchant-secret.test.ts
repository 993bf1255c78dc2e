import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openKit } from '../../testing/kit.ts'
import { application, send } from '../../testing/partner.ts'
import { intakeModule } from '../order/intake/intake.ts'
import { merchantSecrets, sealMerchantSecrets } from './merchant-secret.ts'

const secretKey = Buffer.from('a key of this installation, kept well')

it('merchants sign as before with secrets that the database holds only sealed', async () => {
  const kit = await openKit({ modules: [intakeModule({ secretKey })] })
  const kept = () =>
    kit.db.read(tx =>
      tx.rows(
        sql<{ merchantNo: string; secret: string }>`select merchant_no, secret from merchant_credential order by 1`,
      ),
    )
  expect(await sealMerchantSecrets(kit.db, secretKey)).toBe(2)
  expect(await sealMerchantSecrets(kit.db, secretKey)).toBe(0)
  const [first, second] = await kept()
  expect(JSON.stringify([first, second])).not.toMatch(/secret-one|secret-two/)
  expect((await send(kit, application(1))).code).toBe(0)
  expect((await send(kit, application(2), { secret: 'secret-two' })).code).toBe(40301)
  expect((await send(kit, application(3), { secret: first?.secret ?? '' })).code).toBe(40301)
  const { open } = merchantSecrets(secretKey)
  expect(open(first?.secret ?? '', 'M1')).toBe('secret-one')
  expect(() => open(first?.secret ?? '', 'M2')).toThrow()
  await kit.close()
})
