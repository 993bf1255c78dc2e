import { sql } from 'kysely'
import { recommend as calls, recommendMachine } from '../../../../core/contract/supermarket/recommend.ts'
import { can } from '../../../../core/rules/machines/machine.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import { Fault, stateConflict } from '../../../http/fault.ts'

/** A recommendation as it is stored. */
export type Recommendation = {
  recommendNo: string
  recommendName: string
  productStatus: string
  slot: string
  marketProductNo: string
  submittedBy: string | null
  endTime: string
  weight: number
  reasonText: unknown
  version: number
} & Record<string, unknown>

export type RecommendFacts = { row: Recommendation; productOnline: boolean; over: boolean }

/** Its machine is one of several of its kind, which buttons ask by their state alone. */
const byState = ({ row }: RecommendFacts, event: string): Fault | null =>
  can(recommendMachine, row.productStatus, event) ? null : stateConflict(row.productStatus, recommendMachine.dict)

const conflict = (key: ConstructorParameters<typeof Fault>[1], params = {}) => new Fault('stateConflict', key, params)

/** It may be put before customers: its product is online, and its time is not over. */
const ready = ({ productOnline, over }: RecommendFacts): Fault | null => {
  if (!productOnline) return conflict('errors.productNotOnline')
  return over ? conflict('errors.recommendOver') : null
}

const submit = (facts: RecommendFacts): Fault | null => {
  const state = byState(facts, 'product.submit')
  if (state) return state
  return facts.row.reasonText == null
    ? conflict('errors.marketIncomplete', { field: 'fields.reasonText', n: 1 })
    : ready(facts)
}

/** The person who submitted it neither accepts it nor sends it back. */
const byAnother = ({ row }: RecommendFacts, { session }: Asker): Fault | null =>
  session && row.submittedBy === session.userNo ? new Fault('forbidden', 'errors.ownSubmission') : null

export const recommendBlocks = blocks<RecommendFacts>({
  read: async (tx, keys) => {
    const rows = await tx.rows(
      sql<Recommendation>`select r.* from market_recommend r where r.recommend_no = any(${[...keys]})`,
    )
    const online = await tx.rows(sql<{ no: string }>`
      select market_product_no as no from market_product where market_product_no = any(${rows.map(row => row.marketProductNo)})
        and product_status = 'online' and deleted_time is null`)
    const open = new Set(online.map(({ no }) => no))
    return new Map(
      rows.map(row => [
        row.recommendNo,
        { row, productOnline: open.has(row.marketProductNo), over: Date.parse(row.endTime) <= tx.now.getTime() },
      ]),
    )
  },
  states: () => ({}),
  commands: [
    { command: calls.save, refuses: facts => byState(facts, 'product.save') },
    { command: calls.submit, refuses: submit },
    {
      command: calls.operate,
      refuses: (facts, at) => byState(facts, 'product.operate') ?? byAnother(facts, at) ?? ready(facts),
    },
    { command: calls.sendBack, refuses: (facts, at) => byState(facts, 'product.operate') ?? byAnother(facts, at) },
    { command: calls.offline, refuses: facts => byState(facts, 'product.offline') },
    { command: calls.weigh, refuses: facts => byState(facts, 'product.offline') },
  ],
})
