import { sql } from 'kysely'
import { marketProduct as calls, marketProductMachine } from '../../../../core/contract/supermarket/market-product.ts'
import { can } from '../../../../core/rules/machines/machine.ts'
import { allowedLink, hostsIn } from '../../../../core/rules/market/hosts.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import { Fault, type Params, stateConflict } from '../../../http/fault.ts'
import type { Product } from './moves.ts'

/** What decides what may be done with a product. */
export type ProductFacts = {
  product: Product
  platformOn: boolean
  licenceExpiry: string
  allowedHosts: string
  today: string
}

/** What has to be there before a product is submitted, in the order of the form. */
const needed = ['logo', 'slogan', 'allInMonthRate', 'feeText', 'conditions', 'requiredDocs'] as const

/** The fields that a product lacks. */
export const missingOf = (product: Product): string[] => needed.filter(name => product[name] == null)

const conflict = (key: ConstructorParameters<typeof Fault>[1], params?: Params) =>
  new Fault('stateConflict', key, params)

/** The machine of products is one of several of its kind, which buttons ask by their state alone. */
const byState = ({ product }: ProductFacts, event: string): Fault | null =>
  can(marketProductMachine, product.productStatus, event)
    ? null
    : stateConflict(product.productStatus, marketProductMachine.dict)

/** Its platform may lead customers away, today. */
export const platformRefusal = ({ platformOn, licenceExpiry, today, product, allowedHosts }: ProductFacts) => {
  if (!platformOn) return conflict('errors.platformOff')
  if (licenceExpiry < today) return conflict('errors.licenceEnded')
  return allowedLink(String(product.applyUrl), hostsIn(allowedHosts)) ? null : conflict('errors.linkNotAllowed')
}

const submit = (facts: ProductFacts): Fault | null => {
  const state = byState(facts, 'product.submit')
  if (state) return state
  const [first, ...more] = missingOf(facts.product)
  if (first) return conflict('errors.marketIncomplete', { field: `fields.${first}`, n: more.length + 1 })
  return platformRefusal(facts)
}

/** The person who submitted it neither accepts it nor sends it back. */
const byAnother = ({ product }: ProductFacts, { session }: Asker): Fault | null =>
  session && product.submittedBy === session.userNo ? new Fault('forbidden', 'errors.ownSubmission') : null

const operate = (facts: ProductFacts, at: Asker): Fault | null =>
  byState(facts, 'product.operate') ?? byAnother(facts, at) ?? platformRefusal(facts)

export const marketBlocks = blocks<ProductFacts>({
  read: async (tx, keys) => {
    const products = await tx.rows(
      sql<Product>`select p.* from market_product p where p.market_product_no = any(${[...keys]})`,
    )
    const platforms = await tx.rows(sql<{
      platformNo: string
      enabled: string
      licenceExpiry: string
      allowedHosts: string
    }>`
      select platform_no, enabled, licence_expiry, allowed_hosts from supermarket_platform where platform_no = any(${products.map(one => one.platformNo)})`)
    const of = new Map(platforms.map(one => [one.platformNo, one]))
    return new Map(
      products.flatMap(product => {
        const platform = of.get(product.platformNo)
        if (!platform) return []
        const { enabled, licenceExpiry, allowedHosts } = platform
        return [
          [
            product.marketProductNo,
            { product, platformOn: enabled === 'enabled', licenceExpiry, allowedHosts, today: tx.today },
          ] as const,
        ]
      }),
    )
  },
  states: () => ({}),
  commands: [
    {
      command: calls.save,
      refuses: facts => (facts.product.productStatus === 'online' ? null : byState(facts, 'product.save')),
    },
    { command: calls.submit, refuses: submit },
    { command: calls.operate, refuses: operate },
    { command: calls.sendBack, refuses: (facts, at) => byState(facts, 'product.operate') ?? byAnother(facts, at) },
    { command: calls.offline, refuses: facts => byState(facts, 'product.offline') },
  ],
})
