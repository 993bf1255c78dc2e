import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { base, type Endpoint, type InputOf, type OutputOf } from '../../../../core/contract/endpoint.ts'
import { approvalModule } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { signatureOf } from '../../../http/defence/signature.ts'
import type { Module } from '../../../module.ts'
import type { PostOnce } from '../../../outgoing/open-link.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { signedBy } from '../../../testing/partner.ts'
import { postbackKeys } from '../platform/keys.ts'
import { platformInput } from '../platform/platform.facts.ts'
import { platformModule } from '../platform/platform.ts'
import { marketProductModule } from '../product/product.ts'
import { recommendModule } from '../recommend/recommend.ts'

const { platform, marketProduct, common } = contract
const actions = (area: string, ...names: string[]) => names.map(name => `${area}:${name}`)
const perms = [
  ...actions('market:platform', 'page', 'save', 'save:check', 'enable', 'enable:check', 'delete'),
  ...[marketProduct.page.perm as string, ...actions('market:product', 'save', 'submit', 'operate')],
]
const words = { zh: '好', en: 'Good', sw: 'Nzuri' }
/** What a product needs to be submitted, besides what a draft has. */
const rest = { slogan: words, feeText: words, conditions: words, requiredDocs: words, allInMonthRate: '2.5' }
/** Where a product is placed. */
const placed = {
  appCodes: ['BodaCash'],
  customerTypes: ['new' as const, 'old' as const],
  sort: 1,
  textsRead: true as const,
  linkOpened: true as const,
  licenceSeen: true as const,
}

/** Eighty customers whom the first merchant knows. */
const writeCustomers = async (tx: Tx) => {
  await tx.exec(sql`
    insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
    select 'CU' || n, 'Customer ' || n, 'CM' || lpad(n::text, 12, '0'), '256772' || lpad(n::text, 6, '0'), 0, 0, ${tx.now} from generate_series(1, 80) n`)
  await tx.exec(
    sql`insert into merchant_customer (customer_no, merchant_no, phone, updated_time) select customer_no, 'M1', phone, ${tx.now} from customer`,
  )
}

const post = async (kit: Kit, path: string, body: string, headers: Record<string, string>) => {
  const all = { 'content-type': 'application/json', language: 'en', ...headers }
  return (await kit.app.request(`${base}${path}`, { method: 'POST', headers: all, body })).json()
}

/** What comes from outside: from the app of M1, and from partners. */
const outside = (kit: Kit, secretKey: Buffer) => {
  const keyOf = postbackKeys(secretKey)
  return {
    fromApp: async <E extends Endpoint>(call: E, input: InputOf<E>, sent: Parameters<typeof signedBy>[1] = {}) => {
      const body = JSON.stringify(input)
      return (await post(kit, call.path, body, signedBy(body, sent))) as {
        code: number
        msg: string
        data: OutputOf<E>
      }
    },
    /** A message of a partner, signed with one of its keys. */
    report: async (input: InputOf<typeof platform.postback>, turn = 1, at = Date.now()) => {
      const body = JSON.stringify(input)
      const timestamp = String(at)
      const signature = signatureOf(keyOf(input.platformNo, turn), timestamp, body)
      const headers = { 'x-timestamp': timestamp, 'x-signature': signature }
      return (await post(kit, platform.postback.path, body, headers)) as { code: number }
    },
  }
}

/** Makes platforms and products as two people do. */
const making = (kit: Kit, maker: Person, second: Person) => {
  const ask = <E extends Endpoint>(call: E, input: InputOf<E>, as: Person = maker) =>
    kit.call(call, input, { as, language: 'en' })
  const agree = (approvalNo: string, as = second) => ask(common.approve, { approvalNo, version: 0 }, as)
  const platformOf = async (no: string) => (await ask(platform.detail, { platformNo: no } as never)).data
  const productOf = async (no: string) => (await ask(marketProduct.detail, { marketProductNo: no })).data.product
  const addPlatform = async (more: object = {}, open = true): Promise<string> => {
    const { data } = await ask(platform.save, { ...platformInput(), ...more } as never)
    const no = String(data.key)
    if (!open) return no
    const asked = await ask(platform.state, { platformNo: no, enabled: true, version: 0 } as never)
    await agree(String(asked.data.approvalNo))
    return no
  }
  let made = 0
  const inputOf = async (platformNo: string, more: object = {}) => ({
    platformNo,
    marketProductName: `Quick ${++made}`,
    amountMin: '50000.00',
    amountMax: '1000000.00',
    termMin: 7,
    termMax: 30,
    termUnit: 'day' as const,
    rateMonthMin: '1.5',
    rateMonthMax: '2.5',
    applyUrl: `https://${String((await platformOf(platformNo)).allowedHosts).split(',')[0]}/apply`,
    ...more,
  })
  const draft = async (platformNo: string, more: object = {}) => {
    const { data } = await ask(marketProduct.save, await inputOf(platformNo, { ...rest, ...more }))
    const { marketProductNo: no } = data
    await kit.db.withTx(tx => tx.exec(sql`update market_product set logo = 'UP1' where market_product_no = ${no}`))
    return no
  }
  const versioned = async (marketProductNo: string) => ({
    marketProductNo,
    version: (await productOf(marketProductNo)).version,
  })
  const online = async (platformNo: string, more: object = {}, data: object = {}) => {
    const no = await draft(platformNo, data)
    await ask(marketProduct.submit, await versioned(no))
    const answer = await ask(marketProduct.operate, { ...(await versioned(no)), ...placed, ...more }, second)
    if (answer.code !== 0) throw new Error(answer.msg)
    return no
  }
  return { ask, agree, platformOf, productOf, addPlatform, inputOf, draft, versioned, online }
}

/** A server with the platforms and products of the loan supermarket, and the two people who keep them. */
export const openShelf = async (more: readonly Module[] = [], post?: PostOnce) => {
  const secretKey = randomBytes(32)
  const platforms = platformModule({ secretKey })
  const products = marketProductModule({ secretKey, demo: false }, post ? { post } : {})
  const own = [platforms, products, recommendModule(), ...more]
  const approvals = own.flatMap(module => module.approvals ?? [])
  const kit = await openKit({ modules: [...own, approvalModule(approvals)] })
  const maker = await kit.person({ perms, name: 'Maker' })
  const second = await kit.person({ perms, name: 'Second' })
  await kit.db.withTx(writeCustomers)
  return {
    kit,
    maker,
    second,
    secretKey,
    products,
    placed,
    rest,
    ...making(kit, maker, second),
    ...outside(kit, secretKey),
  }
}
