import { auditManage } from '../../core/contract/audit/order-list.ts'
import { base } from '../../core/contract/endpoint.ts'
import { type Burst, burst, type Call, started } from './load.ts'

/** Filters that match from a few thousand to a few hundred thousand of a million orders. */
const pairs = [
  ['approval_rejected', 'M5'],
  ['funds_disbursed', 'M1'],
  ['cancelled', 'M3'],
  ['machine_refused', 'M6'],
  ['approval_rejected', 'M6'],
  ['funds_disbursed', 'M2'],
  ['cancelled', 'M1'],
  ['loan_failed', 'M1'],
  ['funds_disbursed', 'M3'],
  ['cancelled', 'M2'],
  ['settled', 'M6'],
  ['funds_disbursed', 'M4'],
] as const

const filters: Readonly<Record<string, readonly object[]>> = {
  'no filter': [{}],
  'one filter': pairs.map(([status]) => ({ orderStatus: [status] })),
  'two filters': pairs.map(([status, merchant]) => ({ orderStatus: [status], merchantNo: [merchant] })),
}
/** Pages one to five of each, as people turn them. */
const bodiesOf = (all: readonly object[]) =>
  Array.from({ length: 60 }, (_, at) =>
    JSON.stringify({ ...all[at % all.length], sort: '-applyTime', pageNum: 1 + (at % 5), pageSize: 20 }),
  )

const shown = ({ perSecond, p50, p99, cpuUs }: Burst) =>
  `${perSecond.toFixed(0).padStart(6)}/s p50 ${p50.toFixed(0)} p99 ${p99.toFixed(0)} ms, cpu ${cpuUs.toFixed(0)} µs`
const sum = (bursts: readonly Burst[], of: keyof Burst) => bursts.reduce((all, one) => all + one[of], 0)

/**
 * The order list over HTTP beside the least that answers it, on the same rows and indexes, with session, right and masks, in turns.
 * Both count to the cap; the bare one keeps no count. What counts are the two ratios: calls a second, and the server's CPU a call.
 */
export const listsUnderLoad = async (url: string, token: string, o = { clients: 16, seconds: 3, rounds: 3 }) => {
  const servers = [await started('product', url), await started('bare', url)] as const
  console.log(`${o.clients} clients: product | node and pg alone || calls a second and CPU a call, product ÷ bare`)
  for (const [name, all] of Object.entries(filters)) {
    const call: Call = {
      path: `${base}${auditManage.manageList.path}`,
      headers: { token, language: 'en' },
      bodies: bodiesOf(all),
    }
    const [product, bare]: [Burst[], Burst[]] = [[], []]
    for (const server of servers) await burst(server, call, 8, 2)
    for (let round = 0; round < o.rounds; round++)
      for (const [at, list] of [product, bare].entries())
        list.push(await burst(servers[at] as (typeof servers)[0], call, o.clients, o.seconds))
    const ratio = (of: keyof Burst) => (sum(product, of) / sum(bare, of)).toFixed(2)
    const last = [product.at(-1), bare.at(-1)].map(one => (one ? shown(one) : '')).join(' | ')
    console.log(`${name.padEnd(12)}${last} || ${ratio('perSecond')} and ${ratio('cpuUs')}`)
  }
  for (const server of servers) server.stop()
}
